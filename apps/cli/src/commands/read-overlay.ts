import type { ParseOverlayOptions } from '@switchyard/overlay-contract';
import { describeIssues } from '../output/describe-issues.ts';
import { safeText } from '../output/safe-text.ts';
import { type ExplainedIssue, type LoadedOverlay, loadOverlay } from '../overlay/load-overlay.ts';
import { inputName, readInput } from '../overlay/read-input.ts';
import { type CommandContext, inputSources, type Report } from './context.ts';

/** Why a command has no overlay to work on. */
export interface InputProblem {
  readonly code: 'unreadable' | 'invalid_overlay';
  /** As the user named it; `-` is standard input. */
  readonly file: string;
  readonly message: string;
  /** Empty when the file can't be read. */
  readonly issues: readonly ExplainedIssue[];
}

/** A valid overlay, or the problem. */
export type ReadOverlayResult =
  | { readonly ok: true; readonly loaded: LoadedOverlay }
  | { readonly ok: false; readonly problem: InputProblem };

/** Reads and judges one input. */
export async function readOverlay(
  file: string,
  context: CommandContext,
  options: ParseOverlayOptions = {},
): Promise<ReadOverlayResult> {
  const input = await readInput(file, context.stdin);
  if (!input.ok) {
    const { message } = input.failure;
    return { ok: false, problem: { code: 'unreadable', file, message, issues: [] } };
  }
  const result = loadOverlay(input.bytes, options);
  if (result.ok) return result;
  const message = `${inputName(file)} is not a valid overlay`;
  return { ok: false, problem: { code: 'invalid_overlay', file, message, issues: result.issues } };
}

/** What a command on one document goes on with, or ends with once the problem is reported. */
export type OneOverlayResult =
  | { readonly ok: true; readonly file: string; readonly loaded: LoadedOverlay }
  | { readonly ok: false };

/** Reads the one document of a command, named or from standard input, and reports what is wrong with it. */
export async function readOneOverlay(
  named: string | undefined,
  { context, report }: { readonly context: CommandContext; readonly report: Report },
  options: ParseOverlayOptions,
): Promise<OneOverlayResult> {
  const [file = '-'] = inputSources(named === undefined ? [] : [named], context);
  const read = await readOverlay(file, context, options);
  if (read.ok) return { ok: true, file, loaded: read.loaded };
  reportProblem(read.problem, report);
  return { ok: false };
}

/** Says why there is no answer: on standard error, with `--json` also as the answer itself. */
export function reportProblem(problem: InputProblem, { errors, json, data }: Report): void {
  if (json) data({ error: problem });
  errors.line(`switchyard: ${safeText(problem.message)}`);
  if (json) return;
  for (const line of describeIssues(inputName(problem.file), problem.issues, errors)) errors.line(line);
}
