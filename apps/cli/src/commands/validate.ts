import type { Overlay, OverlayScope } from '@switchyard/overlay-contract';
import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { describeIssues } from '../output/describe-issues.ts';
import { safeText } from '../output/safe-text.ts';
import { inputName } from '../overlay/read-input.ts';
import { addLimitOptions, type LimitOptions } from './arguments.ts';
import {
  addOutputOptions,
  type CommandContext,
  createReport,
  inputSources,
  type OutputOptions,
  type Report,
} from './context.ts';
import { type ReadOverlayResult, readOverlay } from './read-overlay.ts';

interface ValidateOptions extends OutputOptions, LimitOptions {
  readonly expectNetwork?: string;
  readonly expectGateway?: string;
  readonly expectNamespace?: string;
  readonly expectLocalSite?: string;
}

/** Adds `validate` to the overlay commands. */
export function addValidate(overlay: Command, context: CommandContext): void {
  const command = overlay
    .command('validate')
    .summary('list everything that is wrong, with line, path and what to do')
    .argument('[files...]', 'overlay documents; - or none reads standard input')
    .option('--expect-network <name>', 'the network the document must be for')
    .option('--expect-gateway <name>', 'the gateway it must be for')
    .option('--expect-namespace <name>', "that gateway's namespace")
    .option('--expect-local-site <name>', "that gateway's site");
  addOutputOptions(addLimitOptions(command)).action(async (files: string[], options: ValidateOptions) => {
    context.finish(await validate(files, options, context));
  });
}

async function validate(
  named: readonly string[],
  options: ValidateOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const report = createReport('overlay validate', options, context);
  const expectedScope = readScope(options);
  const results = new Map<string, ReadOverlayResult>();
  for (const file of inputSources(named, context)) {
    const result = await readOverlay(file, context, { ...options, expectedScope });
    results.set(file, result);
    if (!report.json) describeResult(file, result, report);
  }
  const files = [...results].map(([file, result]) => resultData(file, result));
  if (report.json) report.data({ valid: files.every(({ valid }) => valid), files });
  const problems = [...results.values()].flatMap((result) => (result.ok ? [] : [result.problem.code]));
  if (problems.includes('unreadable')) return EXIT.badInput;
  return problems.length > 0 ? EXIT.no : EXIT.yes;
}

/** Undefined when nothing is expected: an expected scope, even an empty one, refuses documents that have none. */
function readScope(options: ValidateOptions): Partial<OverlayScope> | undefined {
  const scope: Partial<OverlayScope> = {
    ...(options.expectNetwork !== undefined && { network: options.expectNetwork }),
    ...(options.expectGateway !== undefined && { gateway: options.expectGateway }),
    ...(options.expectNamespace !== undefined && { namespace: options.expectNamespace }),
    ...(options.expectLocalSite !== undefined && { localSite: options.expectLocalSite }),
  };
  return Object.keys(scope).length > 0 ? scope : undefined;
}

function describeResult(file: string, result: ReadOverlayResult, { out, errors }: Report): void {
  const name = safeText(inputName(file));
  if (result.ok) {
    const { format, candidates, revision } = result.loaded.overlay;
    const facts = `${format}, ${count(candidates.length, 'candidate')}, revision ${revision.slice(0, 12)}`;
    out.line(`${name}: ${out.paint('green', 'valid')}, ${facts}`);
    const [first] = candidates;
    if (first !== undefined && file !== '-') {
      const kind = first.kind === 'mcp_tool' ? ' --kind mcp_tool' : '';
      out.tip(`Next: switchyard overlay explain ${name} --model ${safeText(first.name)}${kind}`);
    }
    return;
  }
  const { code, message, issues } = result.problem;
  if (code === 'unreadable') {
    errors.line(`switchyard: ${safeText(message)}`);
    return;
  }
  for (const line of describeIssues(inputName(file), issues, out)) out.line(line);
  out.line(`${name}: ${out.paint('red', 'invalid')}, ${count(issues.length, 'issue')}`);
}

interface FileData {
  readonly file: string;
  readonly valid: boolean;
  readonly [more: string]: unknown;
}

function resultData(file: string, result: ReadOverlayResult): FileData {
  if (result.ok) return { file, valid: true, ...overlayData(result.loaded.overlay), issues: [], error: null };
  const { code, message, issues } = result.problem;
  const error = code === 'unreadable' ? { code, message } : null;
  return {
    file,
    valid: false,
    format: null,
    revision: null,
    candidateCount: null,
    scope: null,
    issues,
    error,
  };
}

function overlayData({ format, revision, candidates, scope }: Overlay): Readonly<Record<string, unknown>> {
  return { format, revision, candidateCount: candidates.length, scope: scope ?? null };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
