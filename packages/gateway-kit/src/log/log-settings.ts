const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const FORMATS = ['auto', 'json', 'pretty'] as const;

/** How a log is written. */
export interface LogSettings {
  readonly level: (typeof LEVELS)[number];
  /** One line for people instead of a JSON line. */
  readonly pretty: boolean;
  readonly colours: boolean;
}

/** A variable of the environment has a value that it cannot have. */
export class LogSettingError extends Error {
  override readonly name = 'LogSettingError';
}

/**
 * Reads `LOG_LEVEL` (default `info`), `LOG_FORMAT` (default `auto`: pretty on a terminal, JSON elsewhere) and
 * `NO_COLOR` (https://no-color.org). Empty is unset; case does not matter.
 *
 * @throws {@link LogSettingError} for another level or format: these are ours, and a typing error must not pass unnoticed.
 */
export function resolveLogSettings(env: NodeJS.ProcessEnv, terminal: boolean): LogSettings {
  const level = pick(env, { name: 'LOG_LEVEL', values: LEVELS, fallback: 'info' });
  const format = pick(env, { name: 'LOG_FORMAT', values: FORMATS, fallback: 'auto' });
  return {
    level,
    pretty: format === 'pretty' || (format === 'auto' && terminal),
    colours: terminal && (env['NO_COLOR'] ?? '') === '',
  };
}

function pick<V extends string>(
  env: NodeJS.ProcessEnv,
  about: { readonly name: string; readonly values: readonly V[]; readonly fallback: V },
): V {
  const { name, values, fallback } = about;
  const wanted = env[name]?.trim().toLowerCase() ?? '';
  const found = values.find((value) => value === wanted);
  if (found === undefined && wanted !== '')
    throw new LogSettingError(`${name}: found ${JSON.stringify(wanted)}, expected ${values.join(', ')}`);
  return found ?? fallback;
}
