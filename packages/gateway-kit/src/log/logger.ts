import {
  type Bindings,
  type ChildLoggerOptions,
  type DestinationStream,
  type Logger,
  pino,
  stdSerializers,
} from 'pino';
import { redactCredentials } from './redact.ts';

const LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** What a logger is made from. */
export interface LoggerOptions {
  /** Becomes the field `app`. */
  readonly name: string;
  /** Where `LOG_LEVEL` is read. Default: `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Where the lines go. Default: stderr, written synchronously so that a crash loses none. */
  readonly destination?: DestinationStream;
}

/**
 * JSON lines `{"level","time","app","pid",...,"msg"}`. `LOG_LEVEL` sets the level (default `info`); an unknown level is
 * reported and ignored. Credential headers are replaced by `[redacted]` at any depth.
 */
export function createLogger(options: LoggerOptions): Logger {
  const wanted = (options.env ?? process.env)['LOG_LEVEL']?.trim().toLowerCase() ?? '';
  const known = LEVELS.includes(wanted);
  const destination = options.destination ?? pino.destination({ dest: 2, sync: true });
  const log = pino(
    {
      level: known ? wanted : 'info',
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
  if (wanted !== '' && !known) {
    log.warn({ found: wanted, expected: LEVELS }, 'LOG_LEVEL is not a level; using info');
  }
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
