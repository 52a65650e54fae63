import { dirname, resolve } from 'node:path';
import process from 'node:process';
import type { Logger } from 'pino';
import { stringify } from 'yaml';
import { TlsFileError } from '../clusters/tls-file.ts';
import { ConfigError } from '../config/config-error.ts';
import { loadConfig } from '../config/load-config.ts';
import { maskSecrets } from '../config/secret-names.ts';
import { LogSettingError } from '../log/log-settings.ts';
import { createLogger } from '../log/logger.ts';
import { ListenError } from '../net/listen.ts';
import { startTelemetry } from '../telemetry/start-telemetry.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { AppContext, AppDefinition, RunningApp } from './app-definition.ts';
import { type Command, parseArguments } from './arguments.ts';
import { describeTelemetry } from './describe-telemetry.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { helpText, usageLine } from './help.ts';
import { exitAfterFlush, printLine, tolerateClosedOutput } from './output.ts';
import { type Shutdown, watchSignals } from './shutdown.ts';

const SHUTDOWN_DEADLINE_MS = 10_000;

/**
 * The whole of an app's `main.ts`: arguments, config, logs, telemetry, signals, exit code. Ends the process; the
 * returned promise never resolves.
 */
export async function runApp<T>(definition: AppDefinition<T>): Promise<void> {
  tolerateClosedOutput();
  await exitAfterFlush(await execute(definition, parseArguments(process.argv.slice(2), definition.flags)));
}

async function execute<T>(definition: AppDefinition<T>, command: Command): Promise<number> {
  switch (command.kind) {
    case 'help':
      process.stdout.write(helpText(definition));
      return EXIT_CODES.ok;
    case 'version':
      process.stdout.write(`${definition.version}\n`);
      return EXIT_CODES.ok;
    case 'print-telemetry':
      process.stdout.write(
        `${JSON.stringify(describeTelemetry(definition.name, definition.telemetry), null, 2)}\n`,
      );
      return EXIT_CODES.ok;
    case 'usage_error': {
      const { name } = definition;
      process.stderr.write(`${name}: ${command.message}\n${usageLine(name)}\nTry: ${name} --help\n`);
      return EXIT_CODES.usage;
    }
    case 'check':
    case 'print-config':
    case 'run':
      return withConfig(definition, command);
  }
}

async function withConfig<T>(
  definition: AppDefinition<T>,
  command: Extract<Command, { readonly configFile: string }>,
): Promise<number> {
  let config: T;
  try {
    config = loadConfig(command.configFile, { schema: definition.schema });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return EXIT_CODES.badConfig;
  }
  if (command.kind === 'check') {
    process.stdout.write(`${command.configFile}: ok\n`);
    return EXIT_CODES.ok;
  }
  if (command.kind === 'print-config') {
    const shown = definition.redact === undefined ? config : definition.redact(config);
    process.stdout.write(stringify(maskSecrets(shown)));
    return EXIT_CODES.ok;
  }
  return serve(definition, config, command);
}

async function serve<T>(
  definition: AppDefinition<T>,
  config: T,
  command: Extract<Command, { readonly configFile: string }>,
): Promise<number> {
  const configFile = resolve(command.configFile);
  const { flags } = command;
  let log: Logger;
  try {
    log = createLogger({ name: definition.name });
  } catch (error) {
    if (!(error instanceof LogSettingError)) throw error;
    process.stderr.write(`${definition.name}: ${error.message}\n`);
    return EXIT_CODES.badConfig;
  }
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception: ending');
    process.exit(EXIT_CODES.failure);
  });
  const shutdown = watchSignals({
    deadlineMs: definition.shutdownDeadlineMs?.(config) ?? SHUTDOWN_DEADLINE_MS,
    log,
  });
  const telemetry = await startTelemetry({
    serviceName: definition.name,
    resourceAttributes: definition.resourceAttributes?.(config) ?? {},
    log,
  });
  let running: RunningApp;
  try {
    running = await definition.start(config, createContext({ log, telemetry, configFile, flags, shutdown }));
  } catch (error) {
    return reportStartFailure(error, { name: definition.name, configFile, log });
  }
  log.info({ version: definition.version, config: configFile }, 'started');
  await (running.finished === undefined
    ? shutdown.requested
    : Promise.race([shutdown.requested, running.finished]));
  return closeAll(running, telemetry, log);
}

function createContext(parts: {
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly configFile: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly shutdown: Shutdown;
}): AppContext {
  const { log, telemetry, configFile, flags, shutdown } = parts;
  const folder = dirname(configFile);
  return {
    log,
    telemetry,
    configFile,
    flags,
    stopping: shutdown.signal,
    resolvePath: (path) => resolve(folder, path),
    listening: (listener, port) => printLine({ event: 'listening', listener, port }),
    print: printLine,
  };
}

function reportStartFailure(
  error: unknown,
  about: { readonly name: string; readonly configFile: string; readonly log: Logger },
): number {
  for (const thrown of causesOf(error)) {
    const cause = thrown instanceof TlsFileError ? asConfigError(thrown, about.configFile) : thrown;
    if (!(cause instanceof ListenError || cause instanceof ConfigError)) continue;
    process.stderr.write(`${about.name}: ${cause.message}\n`);
    if (cause instanceof ConfigError) return EXIT_CODES.badConfig;
    return cause.code === 'address_in_use' ? EXIT_CODES.portInUse : EXIT_CODES.failure;
  }
  about.log.fatal({ err: error }, 'could not start');
  return EXIT_CODES.failure;
}

/** A file that the config names and that can't be read is a fault of the config. */
function asConfigError({ path, message }: TlsFileError, file: string): ConfigError {
  return new ConfigError(file, [{ file, line: 1, column: 1, path, message }]);
}

/** The error, what caused it, and what an AggregateError holds: apps may have wrapped ours. */
function* causesOf(error: unknown): Generator<unknown> {
  yield error;
  if (!(error instanceof Error)) return;
  if (error instanceof AggregateError) for (const inner of error.errors as unknown[]) yield* causesOf(inner);
  if (error.cause !== undefined) yield* causesOf(error.cause);
}

async function closeAll(running: RunningApp, telemetry: Telemetry, log: Logger): Promise<number> {
  let code: number = EXIT_CODES.ok;
  try {
    await running.close();
  } catch (error) {
    log.error({ err: error }, 'closing failed');
    code = EXIT_CODES.failure;
  }
  // After the app: its last spans end while it closes.
  await telemetry.shutdown();
  log.info('stopped');
  return code;
}
