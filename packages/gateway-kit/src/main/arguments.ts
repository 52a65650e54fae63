import { parseArgs } from 'node:util';
import { nearest } from '../text/nearest.ts';
import type { FlagDefinition } from './app-definition.ts';

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'help' | 'version' | 'print-telemetry' }
  | {
      readonly kind: 'run' | 'check' | 'print-config';
      readonly configFile: string;
      /** The app's own options, as given. */
      readonly flags: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'usage_error'; readonly message: string };

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  check: { type: 'boolean' },
  'print-config': { type: 'boolean' },
  'print-telemetry': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** An app's own options, by name. */
type Flags = Readonly<Record<string, FlagDefinition>>;

/** Reads the arguments after the script's name. Never throws: mistakes are a `usage_error` that says what to do. */
export function parseArguments(args: readonly string[], own: Flags = {}): Command {
  const ownOptions = Object.entries(own).map(
    ([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  );
  // Not strict: node's own messages suggest nothing, and stop at the first mistake even when --help is there too.
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...OPTIONS, ...Object.fromEntries(ownOptions) },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string>();
  let mistake: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') mistake ??= positionalMistake(token.value);
    if (token.kind !== 'option') continue;
    mistake ??= optionMistake(token, given, own);
    given.set(token.name, token.value ?? '');
  }
  if (given.has('help')) return { kind: 'help' };
  if (mistake !== undefined) return { kind: 'usage_error', message: mistake };
  if (given.has('version')) return { kind: 'version' };
  if (given.has('print-telemetry')) return { kind: 'print-telemetry' };
  const configFile = given.get('config');
  if (configFile === undefined) return { kind: 'usage_error', message: 'missing --config FILE' };
  if (given.has('check') && given.has('print-config')) {
    return { kind: 'usage_error', message: 'found both --check and --print-config, expected one of them' };
  }
  const flags = Object.fromEntries([...given].filter(([name]) => Object.hasOwn(own, name)));
  if (given.has('check')) return { kind: 'check', configFile, flags };
  if (given.has('print-config')) return { kind: 'print-config', configFile, flags };
  return { kind: 'run', configFile, flags };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function optionMistake(
  token: OptionToken,
  given: ReadonlyMap<string, string>,
  own: Flags,
): string | undefined {
  const { name, rawName, value } = token;
  const flag = Object.hasOwn(own, name) ? own[name] : undefined;
  if (!Object.hasOwn(OPTIONS, name) && flag === undefined) {
    const [suggestion] = nearest(name, [...Object.keys(OPTIONS), ...Object.keys(own)]);
    return `unknown option ${rawName}${suggestion === undefined ? '' : `, did you mean --${suggestion}?`}`;
  }
  if (name !== 'config' && flag?.value === undefined)
    return value === undefined ? undefined : `${rawName} takes no value, found ${JSON.stringify(value)}`;
  const looksLikeOption = token.inlineValue !== true && value?.startsWith('-') === true;
  if (value === undefined || value === '' || looksLikeOption) {
    return `${rawName} needs a ${flag?.value ?? 'FILE'}`;
  }
  if (given.has(name)) return `--${name} was given twice, expected one`;
  const wrong = flag?.check?.(value);
  return wrong === undefined ? undefined : `${rawName} ${wrong}, found ${JSON.stringify(value)}`;
}

function positionalMistake(value: string): string {
  const hint = /\.(ya?ml|json)$/.test(value) ? `; did you mean --config ${value}?` : '';
  return `unexpected argument ${JSON.stringify(value)}${hint}`;
}
