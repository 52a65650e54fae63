import { setTimeout as delay } from 'node:timers/promises';
import type { ReadFailureCode } from '../events.ts';
import type { Judge } from '../judge/judge.ts';
import type { InvalidDocument, ValidDocument } from '../judge/judge-document.ts';

/** A file that holds a valid overlay. */
export interface ValidReading extends ValidDocument {
  /** The document, byte for byte, if it is wanted. */
  readonly bytes: Uint8Array | undefined;
}

/** A file that can't be read. */
interface UnreadableReading {
  readonly kind: 'unreadable';
  readonly print: string;
  readonly code: ReadFailureCode;
  readonly message: string;
  readonly cause?: unknown;
}

/** A file without a valid overlay. */
export type BadReading = InvalidDocument | UnreadableReading;

/** What a reading of the overlay file came to. */
export type LoadOutcome = { readonly kind: 'same'; readonly print: string } | ValidReading | BadReading;

/** What to read and who judges it. */
export interface OverlayReader {
  readonly file: string;
  readonly judge: Judge;
}

/** A writer that is half-way through is given this long, in steps, before its document is called bad. */
const SECOND_LOOKS_MS: readonly number[] = [50, 100, 200];

/**
 * Reads and judges the overlay file. A bad reading may be a write in progress or the gap between removal and rename, so
 * it is repeated after a short while before it counts.
 *
 * @param known - The print of the last outcome; a reading that gives the same one is `same`.
 * @param signal - Ends the waiting; the last reading then stands.
 */
export async function loadOverlay(
  reader: OverlayReader,
  known: string | undefined,
  signal: AbortSignal,
): Promise<LoadOutcome> {
  let outcome = await readOnce(reader, { known, before: undefined, signal });
  for (const waitMs of SECOND_LOOKS_MS) {
    if (outcome.kind === 'same' || outcome.kind === 'valid' || signal.aborted) break;
    // A second look would take another process for what may well end that one too; a poll comes soon enough.
    if (isUndecided(outcome)) break;
    await delay(waitMs, undefined, { signal }).catch(() => undefined);
    outcome = await readOnce(reader, { known, before: outcome, signal });
  }
  return outcome;
}

/** Whether the file was not found bad, but never judged: it is worth another try, though it stays as it is. */
export function isUndecided({ print }: LoadOutcome): boolean {
  return print === ('worker_died' satisfies ReadFailureCode);
}

/** What is known when a file is read. */
interface Circumstances {
  readonly known: string | undefined;
  readonly before: BadReading | undefined;
  readonly signal: AbortSignal;
}

async function readOnce(
  { file, judge }: OverlayReader,
  { known, before, signal }: Circumstances,
): Promise<LoadOutcome> {
  const seen = [known, before?.print].filter((print) => print !== undefined);
  const judged = await judge.judge(file, seen);
  // Closed: whatever this says, nobody acts on it.
  if (judged === undefined || signal.aborted) return before ?? { kind: 'same', print: known ?? '' };
  if (!judged.ok) {
    const { code, message, cause } = judged;
    if (code === known) return { kind: 'same', print: known };
    return code === before?.print ? before : { kind: 'unreadable', print: code, code, message, cause };
  }
  const { judgement, bytes } = judged;
  if (judgement.kind === 'seen') {
    const { print } = judgement;
    return print === known || before === undefined ? { kind: 'same', print } : before;
  }
  return judgement.kind === 'valid' ? { ...judgement, bytes } : judgement;
}
