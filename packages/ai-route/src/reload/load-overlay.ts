import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Overlay,
  type OverlayIssue,
  type ParseOverlayOptions,
  parseOverlay,
} from '@switchyard/overlay-contract';
import type { ReadFailureCode } from '../events.ts';
import { readBounded } from './read-bounded.ts';

/** What a reading of the overlay file came to. */
export type LoadOutcome =
  | { readonly kind: 'same'; readonly print: string }
  | { readonly kind: 'valid'; readonly print: string; readonly overlay: Overlay }
  | {
      readonly kind: 'invalid';
      readonly print: string;
      readonly issues: readonly OverlayIssue[];
      readonly claimedRevision: string | null;
    }
  | {
      readonly kind: 'unreadable';
      readonly print: string;
      readonly code: ReadFailureCode;
      readonly message: string;
      readonly cause?: unknown;
    };

/** What to read and how to judge it. */
export interface OverlayReader {
  readonly file: string;
  readonly parse: ParseOverlayOptions & { readonly maxBytes: number };
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
  let outcome = await readOnce(reader, known, undefined);
  for (const waitMs of SECOND_LOOKS_MS) {
    if (outcome.kind === 'same' || outcome.kind === 'valid' || signal.aborted) break;
    await delay(waitMs, undefined, { signal }).catch(() => undefined);
    outcome = await readOnce(reader, known, outcome);
  }
  return outcome;
}

async function readOnce(
  { file, parse }: OverlayReader,
  known: string | undefined,
  before: LoadOutcome | undefined,
): Promise<LoadOutcome> {
  const read = await readBounded(file, parse.maxBytes);
  const print = read.ok ? createHash('sha256').update(read.bytes).digest('hex') : read.code;
  if (print === known) return { kind: 'same', print };
  if (print === before?.print) return before;
  if (!read.ok)
    return { kind: 'unreadable', print, code: read.code, message: read.message, cause: read.cause };
  const parsed = parseOverlay(read.bytes, parse);
  if (parsed.ok) return { kind: 'valid', print, overlay: parsed.overlay };
  return { kind: 'invalid', print, issues: parsed.issues, claimedRevision: claimedRevision(read.bytes) };
}

/** The revision a rejected document says it has, so that an operator can tell which publication failed. */
function claimedRevision(bytes: Uint8Array): string | null {
  try {
    const document = JSON.parse(new TextDecoder().decode(bytes)) as { revision?: { value?: unknown } } | null;
    const value = document?.revision?.value;
    return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : null;
  } catch {
    return null;
  }
}
