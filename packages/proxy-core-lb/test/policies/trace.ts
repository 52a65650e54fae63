import fc from 'fast-check';
import type { MakeSubject, Member } from '../subject.ts';
import { members } from '../subject.ts';

/** What happens to a subject between first picks. */
export type Step =
  | { readonly kind: 'pick' }
  /** Joins or leaves. */
  | { readonly kind: 'presence'; readonly member: number }
  /** Weight to zero or back. */
  | { readonly kind: 'drain'; readonly member: number }
  /** The same members once more. */
  | { readonly kind: 'republish' }
  /** A retry that excludes one member. */
  | { readonly kind: 'retry'; readonly member: number };

/** One first pick, and who could have been picked. */
export interface TracedPick {
  readonly id: string;
  readonly viable: ReadonlySet<string>;
}

/** Any history of `size` members. */
export function anyHistory(size: number): fc.Arbitrary<Step[]> {
  const member = fc.nat(size - 1);
  const pick = fc.constant<Step>({ kind: 'pick' });
  return fc.array(
    fc.oneof(
      { weight: 6, arbitrary: pick },
      { weight: 2, arbitrary: member.map((m): Step => ({ kind: 'presence', member: m })) },
      { weight: 1, arbitrary: member.map((m): Step => ({ kind: 'drain', member: m })) },
      { weight: 1, arbitrary: member.map((m): Step => ({ kind: 'retry', member: m })) },
      { weight: 1, arbitrary: fc.constant<Step>({ kind: 'republish' }) },
    ),
    { minLength: 10, maxLength: 80 },
  );
}

/** Plays a history and records the first picks. */
export function trace(make: MakeSubject, size: number, history: readonly Step[]): TracedPick[] {
  const all = members(size);
  const absent = new Set<number>();
  const drained = new Set<number>();
  const now = (): Member[] =>
    all.flatMap((member, i) => (absent.has(i) ? [] : [{ ...member, weight: drained.has(i) ? 0 : 1 }]));
  const subject = make(now());
  const picks: TracedPick[] = [];
  for (const step of history) {
    if (step.kind === 'pick') {
      const viable = new Set(now().flatMap((member) => (member.weight === 0 ? [] : [member.id])));
      const id = subject.pick();
      if (id !== undefined) picks.push({ id, viable });
      else if (viable.size > 0) throw new Error('no pick although some are viable');
    } else if (step.kind === 'retry') {
      subject.pick(new Set([all[step.member]?.id ?? '']));
    } else {
      if (step.kind === 'presence') toggle(absent, step.member);
      if (step.kind === 'drain') toggle(drained, step.member);
      subject.update(now());
    }
  }
  return picks;
}

function toggle(set: Set<number>, value: number): void {
  if (!set.delete(value)) set.add(value);
}
