import type { Rotation } from './rotation.ts';

/** What can happen to a rotation. Members are named by number; numbers out of range wrap. */
export type RotationStep =
  | { readonly type: 'request'; readonly failures: number }
  | { readonly type: 'flap'; readonly member: number }
  | { readonly type: 'join' | 'leave'; readonly member: number }
  | { readonly type: 'republish'; readonly rotateBy: number };

/**
 * Projection invariance: between two consecutive picks of one member, every other member that stayed open all the while
 * is picked exactly once, whatever else joined, left, flapped, was republished or retried. It follows that members which
 * stay open never differ by more than one pick, over any window.
 */
export class ProjectionObserver {
  readonly #spans = new Map<string, { open: Set<string>; counts: Map<string, number> }>();

  /** These are open now, though nobody is picked. */
  passed(open: ReadonlySet<string>): void {
    for (const [first, span] of this.#spans) {
      for (const other of span.open) if (!open.has(other)) span.open.delete(other);
      if (!span.open.has(first)) this.#spans.delete(first);
    }
  }

  /** What is wrong with this pick, if anything. */
  picked(member: string, open: ReadonlySet<string>): string | undefined {
    let violation: string | undefined;
    for (const [first, span] of this.#spans) {
      for (const other of span.open) if (!open.has(other)) span.open.delete(other);
      if (!span.open.has(first)) this.#spans.delete(first);
      else if (first !== member) span.counts.set(member, (span.counts.get(member) ?? 0) + 1);
    }
    const span = this.#spans.get(member);
    for (const other of span?.open ?? []) {
      const count = span?.counts.get(other) ?? 0;
      if (other !== member && count !== 1)
        violation ??= `${other} was picked ${count} times between two picks of ${member}`;
    }
    this.#spans.set(member, { open: new Set(open), counts: new Map() });
    return violation;
  }
}

const UNIVERSE = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Plays `steps` and returns the first violation of projection invariance among first picks, if any. */
export function playSteps(rotation: Rotation, steps: readonly RotationStep[]): string | undefined {
  let members = UNIVERSE.slice(0, 4);
  const down = new Set<string>();
  const observer = new ProjectionObserver();
  const named = (index: number): string => UNIVERSE[index % UNIVERSE.length] ?? 'a';
  rotation.publish(members);
  for (const step of steps) {
    if (step.type === 'request') {
      const open = new Set(members.filter((member) => !down.has(member)));
      const picked = rotation.pick(open);
      if (open.size === 0) {
        if (picked !== undefined) return `picked ${picked}, which is not open`;
        continue;
      }
      if (picked === undefined || !open.has(picked)) return `picked ${picked}, which is not open`;
      const violation = observer.picked(picked, open);
      if (violation !== undefined) return violation;
      retryAfter(rotation, picked, { open, failures: step.failures });
    } else if (step.type === 'flap') {
      if (!down.delete(named(step.member))) down.add(named(step.member));
    } else {
      members = changed(members, step, named);
      rotation.publish(members);
    }
  }
  return undefined;
}

function retryAfter(
  rotation: Rotation,
  first: string,
  attempt: { open: Set<string>; failures: number },
): void {
  const left = new Set(attempt.open);
  let tried: string | undefined = first;
  for (let failure = 0; failure < attempt.failures && tried !== undefined; failure++) {
    left.delete(tried);
    tried = rotation.retry(left);
  }
}

function changed(
  members: string[],
  step: Exclude<RotationStep, { type: 'request' | 'flap' }>,
  named: (index: number) => string,
): string[] {
  if (step.type === 'republish') {
    const by = step.rotateBy % members.length;
    return [...members.slice(by), ...members.slice(0, by)];
  }
  const without = members.filter((member) => member !== named(step.member));
  if (step.type === 'join') return [...without, named(step.member)];
  return without.length > 0 ? without : members;
}
