import {
  type Bindings,
  type ChildLoggerOptions,
  type DestinationStream,
  type Logger,
  pino,
  stdSerializers,
} from 'pino';
import { resolveLogSettings } from './log-settings.ts';
import { prettyLine } from './pretty-line.ts';
import { redactCredentials } from './redact.ts';

/** What a logger is made from. */
export interface LoggerOptions {
  /** Becomes the field `app`. */
  readonly name: string;
  /** Where `LOG_LEVEL`, `LOG_FORMAT` and `NO_COLOR` are read. Default: `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Where the lines go. Default: stderr, written synchronously so that a crash loses none. */
  readonly destination?: DestinationStream;
  /** Whether the lines go to a terminal. Default: whether stderr is one, and false with a destination. */
  readonly terminal?: boolean;
}

/**
 * JSON lines `{"level","time","app","pid",...,"msg"}`, or lines for people: {@link resolveLogSettings} says when.
 * Credential headers are replaced by `[redacted]` at any depth, before either is written.
 *
 * @throws LogSettingError when the environment asks for a level or format that does not exist.
 */
export function createLogger(options: LoggerOptions): Logger {
  const terminal = options.terminal ?? (options.destination === undefined && process.stderr.isTTY === true);
  const { level, pretty, colours } = resolveLogSettings(options.env ?? process.env, terminal);
  const lines = options.destination ?? pino.destination({ dest: 2, sync: true });
  const destination = pretty ? { write: (line: string) => lines.write(prettyLine(line, colours)) } : lines;
  const log = pino(
    {
      level,
      base: { app: options.name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: redactCredentials,
        bindings: redactCredentials,
      },
      serializers: { err: (error: Error) => redactCredentials({ ...stdSerializers.err(error) }) },
    },
    destination,
  );
  redactChildren(log);
  return log;
}

/** Bindings of child loggers pass no formatter of pino's. Children inherit the method, so theirs are covered too. */
function redactChildren(log: Logger): void {
  const { child } = log;
  const redacting = function (this: Logger, bindings: Bindings, options?: ChildLoggerOptions): unknown {
    return Reflect.apply(child, this, [redactCredentials(bindings), options]);
  };
  Object.defineProperty(log, 'child', { value: redacting, configurable: true });
}
