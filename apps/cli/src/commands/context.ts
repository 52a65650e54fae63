import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { jsonText } from '../output/json.ts';
import { createScreen, type Screen } from '../output/screen.ts';
import { STDIN } from '../overlay/read-input.ts';
import { UsageError } from '../usage-error.ts';

/** What commands see of the process. */
export interface CommandContext {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  /** Told the answer of a command that ran. */
  readonly finish: (code: ExitCode) => void;
}

/** Options that every command has, as commander hands them over. */
export interface OutputOptions {
  readonly json?: boolean;
  /** False with `--no-color`. */
  readonly color: boolean;
  readonly quiet?: boolean;
}

/** Adds the options of {@link OutputOptions} to a command. */
export function addOutputOptions(command: Command): Command {
  return command
    .option('--json', 'answer in JSON: a stable shape, see README')
    .option('-q, --quiet', 'no answer on standard output; the exit code has it')
    .option('--no-color', 'no colours (also: NO_COLOR=1; none anyway when piped)');
}

/** Where a command answers. */
export interface Report {
  /** The answer for people: standard output. */
  readonly out: Screen;
  /** What went wrong, or is odd: standard error, also with `--quiet`. */
  readonly errors: Screen;
  /** Whether the answer goes to a program instead: {@link data} once, nothing on {@link out}. */
  readonly json: boolean;
  /** The `--json` answer. */
  data(body: Readonly<Record<string, unknown>>): void;
}

/** The report of one run of a command; `name` is what the user typed, such as `overlay validate`. */
export function createReport(name: string, options: OutputOptions, context: CommandContext): Report {
  const { env } = context;
  const { color } = options;
  const out = createScreen({ stream: context.stdout, env, color, quiet: options.quiet === true });
  const errors = createScreen({ stream: context.stderr, env, color, quiet: false });
  return { out, errors, json: options.json === true, data: (body) => out.line(jsonText(name, body)) };
}

/**
 * The inputs a command reads: those named, or standard input when none is.
 *
 * @throws UsageError when standard input is a terminal nobody said to read, or would be read twice.
 */
export function inputSources(named: readonly string[], { stdin }: CommandContext): readonly string[] {
  if (named.length === 0 && stdin.isTTY === true) {
    throw new UsageError('name a file, or pipe a document in; - reads what you type');
  }
  if (named.filter((source) => source === STDIN).length > 1) {
    throw new UsageError('- stands twice, but standard input can be read only once');
  }
  return named.length === 0 ? [STDIN] : named;
}
