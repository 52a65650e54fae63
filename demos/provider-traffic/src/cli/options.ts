import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '@switchyard/demo-kit';
import type { DemoPolicy } from '../records/types.ts';

/** `demo [run] [options]`. */
export interface RunCommand {
  readonly command: 'run';
  readonly requests: number;
  readonly policy: DemoPolicy;
  readonly seed: number | null;
  /** Leave everything running after the verdict, until Ctrl-C. */
  readonly keep: boolean;
  /** Evidence folder, absolute; null = a new folder under `evidence/`. */
  readonly out: string | null;
  readonly json: boolean;
  /** The live page; absent without `--ui`. */
  readonly ui?: UiOptions;
}

/** How the live page is served. */
export interface UiOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** Where a trace can be seen in another tool, with `{traceId}`; null when nowhere. */
  readonly traceUrl: string | null;
  /** OTLP back end that gets the same spans; null for none. */
  readonly forwardTo: string | null;
}

/** `demo verify DIR`. */
export interface VerifyCommand {
  readonly command: 'verify';
  readonly directory: string;
  readonly json: boolean;
}

/** What the command line asks for. */
export type Command = RunCommand | VerifyCommand | { readonly command: 'help' };

const POLICIES: readonly DemoPolicy[] = ['round_robin', 'random', 'deterministic'];
/** Bound on --requests: the demo is a proof, not a load test. */
const MAX_REQUESTS = 10_000;

/**
 * Reads the command line. Relative folders are meant from where the user typed the command, not from the repository.
 *
 * @throws UsageError on unknown options, bad values or too many arguments.
 */
export function readCommand(argv: readonly string[], env: NodeJS.ProcessEnv): Command {
  const { values, positionals } = parse(argv);
  const from = env['INIT_CWD'] ?? process.cwd();
  if (values.help === true) return { command: 'help' };
  const [verb, directory, ...rest] = positionals;
  if (verb === 'verify') {
    if (directory === undefined) throw new UsageError('verify needs the evidence folder: demo verify DIR');
    if (rest.length > 0) throw new UsageError(`verify takes one folder, but found also: ${rest.join(' ')}`);
    return { command: 'verify', directory: resolve(from, directory), json: values.json === true };
  }
  if (verb !== undefined && (verb !== 'run' || directory !== undefined)) {
    throw new UsageError(
      `unknown command: ${positionals.join(' ')}. Known are: run (the default), verify DIR`,
    );
  }
  return {
    command: 'run',
    requests: integer('--requests', values.requests ?? '60', { min: 1, max: MAX_REQUESTS }),
    policy: policy(values.policy ?? 'round_robin'),
    seed: values.seed === undefined ? null : integer('--seed', values.seed, { min: 0, max: 2 ** 32 - 1 }),
    keep: values.keep === true,
    out: values.out === undefined ? null : resolve(from, values.out),
    json: values.json === true,
    ...uiOptions(values),
  };
}

/** @throws UsageError when an option of the page is given without the page. */
function uiOptions(values: Parsed['values']): { ui?: UiOptions } {
  const port = values['ui-port'];
  const traceUrl = values['trace-url'];
  const forwardTo = values['forward-otlp'];
  if (values.ui !== true) {
    const lonely = Object.entries({ '--ui-port': port, '--trace-url': traceUrl, '--forward-otlp': forwardTo })
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name);
    if (lonely.length > 0) throw new UsageError(`${lonely.join(', ')} has no effect without --ui`);
    return {};
  }
  if (traceUrl !== undefined && !traceUrl.includes('{traceId}'))
    throw new UsageError(`--trace-url must contain {traceId}, but found ${JSON.stringify(traceUrl)}`);
  return {
    ui: {
      port: integer('--ui-port', port ?? '0', { min: 0, max: 65_535 }),
      traceUrl: traceUrl ?? null,
      forwardTo: forwardTo ?? null,
    },
  };
}

type Parsed = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>;

const OPTIONS = {
  requests: { type: 'string' },
  policy: { type: 'string' },
  seed: { type: 'string' },
  keep: { type: 'boolean' },
  out: { type: 'string' },
  json: { type: 'boolean' },
  ui: { type: 'boolean' },
  'ui-port': { type: 'string' },
  'trace-url': { type: 'string' },
  'forward-otlp': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

function parse(argv: readonly string[]): Parsed {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

function integer(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(
    `${name} must be a whole number from ${min} to ${max}, but found ${JSON.stringify(text)}`,
  );
}

function policy(text: string): DemoPolicy {
  const found = POLICIES.find((known) => known === text);
  if (found !== undefined) return found;
  throw new UsageError(`--policy must be one of ${POLICIES.join(', ')}, but found ${JSON.stringify(text)}`);
}
