import type { ParseOverlayOptions } from '@switchyard/overlay-contract';
import { describeIssues } from '../output/describe-issues.ts';
import { safeText } from '../output/safe-text.ts';
import { type ExplainedIssue, type LoadedOverlay, loadOverlay } from '../overlay/load-overlay.ts';
import { inputName, readInput } from '../overlay/read-input.ts';
import type { CommandContext, Report } from './context.ts';

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

/** Says why there is no answer: on standard error, with `--json` also as the answer itself. */
export function reportProblem(problem: InputProblem, { errors, json, data }: Report): void {
  if (json) data({ error: problem });
  errors.line(`switchyard: ${safeText(problem.message)}`);
  if (json) return;
  for (const line of describeIssues(inputName(problem.file), problem.issues, errors)) errors.line(line);
}
