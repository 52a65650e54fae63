import { parseArgs } from 'node:util';
import { nearest } from '../text/nearest.ts';

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'help' | 'version' }
  | { readonly kind: 'run' | 'check' | 'print-config'; readonly configFile: string }
  | { readonly kind: 'usage_error'; readonly message: string };

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  check: { type: 'boolean' },
  'print-config': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Reads the arguments after the script's name. Never throws: mistakes are a `usage_error` that says what to do. */
export function parseArguments(args: readonly string[]): Command {
  // Not strict: node's own messages suggest nothing, and stop at the first mistake even when --help is there too.
  const { tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string>();
  let mistake: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') mistake ??= positionalMistake(token.value);
    if (token.kind !== 'option') continue;
    mistake ??= optionMistake(token, given);
    given.set(token.name, token.value ?? '');
  }
  if (given.has('help')) return { kind: 'help' };
  if (mistake !== undefined) return { kind: 'usage_error', message: mistake };
  if (given.has('version')) return { kind: 'version' };
  const configFile = given.get('config');
  if (configFile === undefined) return { kind: 'usage_error', message: 'missing --config FILE' };
  if (given.has('check') && given.has('print-config')) {
    return { kind: 'usage_error', message: 'found both --check and --print-config, expected one of them' };
  }
  if (given.has('check')) return { kind: 'check', configFile };
  if (given.has('print-config')) return { kind: 'print-config', configFile };
  return { kind: 'run', configFile };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function optionMistake(token: OptionToken, given: ReadonlyMap<string, string>): string | undefined {
  const { name, rawName, value } = token;
  if (!Object.hasOwn(OPTIONS, name)) {
    const [suggestion] = nearest(name, Object.keys(OPTIONS));
    return `unknown option ${rawName}${suggestion === undefined ? '' : `, did you mean --${suggestion}?`}`;
  }
  if (name !== 'config')
    return value === undefined ? undefined : `${rawName} takes no value, found ${JSON.stringify(value)}`;
  const looksLikeOption = token.inlineValue !== true && value?.startsWith('-') === true;
  if (value === undefined || value === '' || looksLikeOption) return `${rawName} needs a FILE`;
  return given.has('config') ? '--config was given twice, expected one' : undefined;
}

function positionalMistake(value: string): string {
  const hint = /\.(ya?ml|json)$/.test(value) ? `; did you mean --config ${value}?` : '';
  return `unexpected argument ${JSON.stringify(value)}${hint}`;
}
