import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { AppTelemetry } from './describe-telemetry.ts';

/** The two listeners an app may have. */
export type ListenerName = 'proxy' | 'admin';

/** An option of an app's own: `--name VALUE`, or the switch `--name`. */
export interface FlagDefinition {
  /** What `--help` and usage errors call the value: `N`, `FILE`. Default: none, the option is a switch. */
  readonly value?: string;
  /** One line for `--help`. */
  readonly help: string;
  /** What is wrong with a value, as words that follow the option: `needs a number`. Default: anything goes. */
  readonly check?: (value: string) => string | undefined;
}

/** What {@link runApp} needs to know of an app. */
export interface AppDefinition<T> {
  /** The command's name; also `service.name` of its traces and `app` of its logs. */
  readonly name: string;
  readonly version: string;
  /** One sentence for `--help`. */
  readonly summary: string;
  /** Complete command lines for `--help`. */
  readonly examples: readonly string[];
  /** Judges the config file. Use `z.strictObject`. */
  readonly schema: z.ZodType<T>;
  /** Further command line options, by name without the dashes. Read from {@link AppContext.flags}. */
  readonly flags?: Readonly<Record<string, FlagDefinition>>;
  /**
   * What `--print-config` shows instead of the config itself. Values under keys such as `token` or `apiKey` are masked
   * in any case. Default: the config.
   */
  readonly redact?: (config: T) => unknown;
  /** What the app exposes: printed by `--print-telemetry`, and the source of the telemetry reference. */
  readonly telemetry: AppTelemetry;
  /** Attributes for the traces' resource, such as `service.instance.id`. `OTEL_RESOURCE_ATTRIBUTES` wins. */
  readonly resourceAttributes?: (config: T) => Readonly<Record<string, string>>;
  /** How long `close()` may take before the process ends anyway, in milliseconds. Default: 10000. */
  readonly shutdownDeadlineMs?: (config: T) => number;
  /** Brings everything up. Throw {@link ListenError} or {@link ConfigError} for their exit codes. */
  start(config: T, context: AppContext): Promise<RunningApp>;
}

/** What a starting app is given. */
export interface AppContext {
  readonly log: Logger;
  readonly telemetry: Telemetry;
  /** Absolute path of the config file. */
  readonly configFile: string;
  /** The app's own options that were given, checked, by name without the dashes; a given switch is an empty text. */
  readonly flags: Readonly<Record<string, string>>;
  /** Aborted at the first SIGTERM or SIGINT: readiness should turn false. */
  readonly stopping: AbortSignal;
  /** A path of the config, made absolute: relative ones count from the config file's folder. */
  resolvePath(path: string): string;
  /** Prints `{"event":"listening","listener":...,"port":...}` on stdout. */
  listening(listener: ListenerName, port: number): void;
  /** Prints any other JSON line on stdout. */
  print(event: Readonly<Record<string, unknown>>): void;
}

/** An app that is up. */
export interface RunningApp {
  /**
   * Resolves when the app's work is done; it is then closed and the process ends. Must not reject.
   * Default: never, the app runs until a signal comes.
   */
  readonly finished?: Promise<void>;
  /** Stops to accept, finishes what runs, releases everything. */
  close(): Promise<void>;
}
