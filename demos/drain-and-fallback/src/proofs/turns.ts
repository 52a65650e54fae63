import type { Proof } from '@switchyard/demo-kit';
import type { Records, StepId } from '../records/types.ts';
import { momentOf, NEAR, OPEN, sequenceOf, takesTurns, triedBy, unbound } from './facts.ts';

/** Proofs 1 and 9: three open members take turns A, B, C, each exactly as often as the others. */
export function proveSplit(
  records: Records,
  step: StepId,
  { id, title }: Pick<Proof, 'id' | 'title'>,
): Proof {
  const sequence = sequenceOf(unbound(records, step));
  const each = sequence.length / NEAR.length;
  return {
    id,
    title,
    passed: takesTurns(sequence, NEAR),
    summary: `${sequence.length} requests, ${NEAR.map((name) => count(sequence, name)).join('/')}, in turn`,
    facts: { sequence, expectedEach: each },
  };
}

/** Proof 3: while a provider drains, nothing new reaches it, and the others share what comes. */
export function proveNothingNew(records: Records): Proof {
  const requests = unbound(records, 'drain');
  const sequence = sequenceOf(requests);
  const late = records.requests.filter(({ step, session }) => step === 'drain' && isLate(session));
  const lateOnes = [...new Set(sequenceOf(late))];
  return {
    id: 'drain-nothing-new',
    title: 'Draining: no new session and no request without one reached provider-b',
    passed:
      takesTurns(sequence, OPEN) &&
      late.length > 0 &&
      !lateOnes.includes('provider-b') &&
      sequence.length > 0,
    summary: `${sequence.length} requests: ${OPEN.map((name) => `${name} ${count(sequence, name)}`).join(', ')}, provider-b ${count(sequence, 'provider-b')}; new sessions went to ${lateOnes.join(' and ')}`,
    facts: { sequence, newSessions: sequenceOf(late) },
  };
}

/** Sessions that were not there before the drain. */
function isLate(session: string | null): boolean {
  return session === 's7' || session === 's8';
}

/** Proof 4: a broken overlay is refused, told, and changes nothing. */
export function proveBrokenOverlay(records: Records): Proof {
  const before = momentOf(records, 'drain');
  const during = momentOf(records, 'broken-overlay');
  const sequence = sequenceOf(unbound(records, 'broken-overlay'));
  const serving = { before: before?.revisions.serving ?? null, during: during?.revisions.serving ?? null };
  return {
    id: 'broken-overlay',
    title: 'A broken overlay in the middle changed nothing, and was told',
    passed:
      serving.before !== null &&
      serving.before === serving.during &&
      (during?.rejected ?? null) !== null &&
      takesTurns(sequence, OPEN),
    summary: `refused as ${during?.rejected ?? 'nothing'}; revision ${short(serving.during)} served on, ${sequence.length} requests in turn`,
    facts: { serving, rejected: during?.rejected ?? null, sequence },
  };
}

/**
 * Proof 8: after the outage, turns go on where they were. The near providers' own last first attempt before the
 * recovered window and the first one in it are neighbours in their turn: nobody was sent back to the beginning.
 */
export function proveRecovery(records: Records): Proof {
  const window = unbound(records, 'recovered');
  const sequence = sequenceOf(window);
  const before = records.requests.filter(({ n, session }) => session === null && n < (window[0]?.n ?? 0));
  const firstTries = before.map((request) => triedBy(records.spans, request)[0] ?? 'nobody');
  const last = firstTries.findLast((name) => OPEN.includes(name)) ?? 'nobody';
  const expected = OPEN[(OPEN.indexOf(last) + 1) % OPEN.length];
  return {
    id: 'recovery',
    title: 'Recovery: the near group serves again, and the turns went on where they were',
    passed: OPEN.includes(last) && takesTurns(sequence, OPEN) && sequence[0] === expected,
    summary: `last turn before was ${last}, the next is ${sequence[0] ?? 'nobody'}; then ${sequence.length} requests in turn`,
    facts: { lastTurn: last, expectedNext: expected ?? null, sequence },
  };
}

function count(sequence: readonly string[], name: string): number {
  return sequence.filter((found) => found === name).length;
}

function short(revision: string | null): string {
  return revision === null ? 'none' : revision.slice(0, 12);
}
