import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '@switchyard/demo-kit';

/** `demo:drain [run] [options]`. */
export interface RunCommand {
  readonly command: 'run';
  /** Leave everything running after the verdict, until Ctrl-C. */
  readonly keep: boolean;
  /** Evidence folder, absolute; null = a new folder under `evidence/`. */
  readonly out: string | null;
  readonly json: boolean;
}

/** `demo:drain verify DIR`. */
export interface VerifyCommand {
  readonly command: 'verify';
  readonly directory: string;
  readonly json: boolean;
}

/** What the command line asks for. */
export type Command = RunCommand | VerifyCommand | { readonly command: 'help' };

const OPTIONS = {
  keep: { type: 'boolean' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Reads the command line. Relative folders are meant from where the user typed the command, not from the repository.
 *
 * @throws UsageError on unknown options or too many arguments.
 */
export function readCommand(argv: readonly string[], env: NodeJS.ProcessEnv): Command {
  const { values, positionals } = parse(argv);
  const from = env['INIT_CWD'] ?? process.cwd();
  if (values.help === true) return { command: 'help' };
  const [verb, directory, ...rest] = positionals;
  const json = values.json === true;
  if (verb === 'verify') {
    if (directory === undefined) throw new UsageError('verify needs the evidence folder: verify DIR');
    if (rest.length > 0) throw new UsageError(`verify takes one folder, but found also: ${rest.join(' ')}`);
    return { command: 'verify', directory: resolve(from, directory), json };
  }
  if (verb !== undefined && (verb !== 'run' || directory !== undefined)) {
    throw new UsageError(
      `unknown command: ${positionals.join(' ')}. Known are: run (the default), verify DIR`,
    );
  }
  const out = values.out === undefined ? null : resolve(from, values.out);
  return { command: 'run', keep: values.keep === true, out, json };
}

function parse(
  argv: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}
