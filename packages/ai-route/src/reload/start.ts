import { RouterOptionsError, RouterStartError } from '../errors.ts';
import type { LastGood } from './last-good.ts';
import { wouldReplace } from './last-good-file.ts';
import {
  type BadReading,
  type LoadOutcome,
  loadOverlay,
  type OverlayReader,
  type ValidReading,
} from './load-overlay.ts';
import { ServedGenerations } from './rollback.ts';

/** What the files say when a router starts. */
export interface FirstReadings {
  readonly source: ValidReading | BadReading;
  /** Undefined when no last-good file is configured. */
  readonly copy: ValidReading | BadReading | undefined;
  /** Where the copy is. */
  readonly copyFile: string | undefined;
}

/** What a router may do without a valid overlay. */
export interface StartPolicy {
  readonly onMissing: 'refuse' | 'wait';
  readonly rollback: 'accept' | 'refuse';
}

/**
 * Reads the overlay and, when there may be one, the last good copy.
 *
 * @throws {@link RouterOptionsError} when the copy would be the overlay file itself, which is never written.
 */
export async function readFirst(
  reader: OverlayReader,
  copyFile: string | undefined,
  signal: AbortSignal,
): Promise<FirstReadings> {
  if (copyFile !== undefined && (await wouldReplace(copyFile, reader.file))) {
    const message = `would replace the overlay file ${reader.file}, or what that links to; name another file`;
    throw new RouterOptionsError([{ path: 'reload.lastGoodFile', message }]);
  }
  const source = decided(await loadOverlay(reader, undefined, signal));
  const copy =
    copyFile === undefined
      ? undefined
      : decided(await loadOverlay({ ...reader, file: copyFile }, undefined, signal));
  return { source, copy, copyFile };
}

/**
 * Serves the overlay, else the last good copy; else waits, if it may.
 *
 * @throws {@link RouterStartError} when there is nothing to serve and waiting isn't wanted.
 */
export async function serveFirst(
  lastGood: LastGood,
  readings: FirstReadings,
  {
    policy,
    file,
    signal,
  }: { readonly policy: StartPolicy; readonly file: string; readonly signal: AbortSignal },
): Promise<void> {
  const { source, copy, copyFile } = readings;
  if (copy?.kind === 'valid' && copyFile !== undefined && needsCopy(source, copy, policy)) {
    await lastGood.restore(copy, copyFile, signal);
  } else if (source.kind !== 'valid' && policy.onMissing === 'refuse') {
    throw startError(file, source, copy === undefined ? undefined : { file: copyFile ?? '', reading: copy });
  }
  await lastGood.offer(source, signal);
}

function needsCopy(source: LoadOutcome, copy: ValidReading, policy: StartPolicy): boolean {
  if (source.kind !== 'valid') return true;
  const before = new ServedGenerations(copy.overlay.provenance);
  return policy.rollback === 'refuse' && before.rollbackTo(source.overlay.provenance) !== undefined;
}

function decided(outcome: LoadOutcome): ValidReading | BadReading {
  // `same` takes an earlier outcome to compare with, and there is none.
  if (outcome.kind === 'same') throw new Error('the first reading of a file had a predecessor');
  return outcome;
}

function startError(
  file: string,
  source: BadReading,
  copy: { readonly file: string; readonly reading: ValidReading | BadReading } | undefined,
): RouterStartError {
  const issues = source.kind === 'invalid' ? source.issues : [];
  const unusable = copy && copy.reading.kind !== 'valid' ? copy.reading : undefined;
  const also = unusable && `the last good copy can't be used either: ${describe(copy?.file ?? '', unusable)}`;
  const advice =
    'put a valid overlay there, or set reload.onMissing to "wait" to start without one and answer requests once it is there';
  const message = [
    `the router can't start without its routing overlay: ${describe(file, source)}`,
    ...(also === undefined ? [] : [also]),
    advice,
  ].join('\n');
  const code = source.kind === 'invalid' ? 'overlay_rejected' : 'overlay_unreadable';
  const cause = source.kind === 'unreadable' ? source.cause : undefined;
  return new RouterStartError(code, { file, message, issues, cause });
}

function describe(file: string, reading: BadReading): string {
  if (reading.kind === 'unreadable') return reading.message;
  const lines = reading.issues.map(
    ({ code, path, message }) => `  ${path || 'document'}: ${message} (${code})`,
  );
  return `${file} is not a valid routing overlay:\n${lines.join('\n')}`;
}
