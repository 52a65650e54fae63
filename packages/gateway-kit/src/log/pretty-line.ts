import { inspect, styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const LEVEL_STYLES: Readonly<Record<string, Style>> = {
  trace: 'gray',
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
};

/**
 * A JSON log line for people: `12:03:04.123 WARN  message  key=value`, a stack below it. What is no JSON line stays as
 * it is.
 */
export function prettyLine(line: string, colours: boolean): string {
  const record = parse(line);
  if (record === undefined) return line;
  const paint = (style: Style, text: string): string =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  const { level, time, app, pid, msg, err, ...fields } = record;
  const name = String(level);
  const head = [
    paint('gray', String(time).slice(11, 23)),
    paint(LEVEL_STYLES[name] ?? 'reset', name.toUpperCase().padEnd(5)),
    ...(typeof msg === 'string' ? [harmless(msg)] : []),
  ];
  const told = Object.entries(fields).map(([key, value]) => `${paint('cyan', key)}=${shown(value)}`);
  const stack = err === undefined ? '' : `\n${indented(harmless(stackOf(err)))}`;
  return `${[...head, ...told].join(' ')}${stack}\n`;
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Control characters of a foreign text must not steer the terminal. */
function harmless(text: string): string {
  return text.replaceAll(
    /(?!\n)\p{Cc}/gu,
    (found) => `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

function shown(value: unknown): string {
  if (typeof value === 'string') return /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function stackOf(err: unknown): string {
  if (typeof err === 'object' && err !== null && 'stack' in err && typeof err.stack === 'string')
    return err.stack;
  return inspect(err, { breakLength: 100 });
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
