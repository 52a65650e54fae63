import type { Candidate, Overlay, SelectionPolicy } from '@switchyard/overlay-contract';
import { createDraw, sfc32 } from '../../src/random.ts';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { MemberSet } from '../../src/snapshot/member-set.ts';
import type { Group, Snapshot } from '../../src/snapshot/snapshot.ts';
import { PickerStates, type RoutingTable } from '../../src/turns/picker-states.ts';

/**
 * One group of equals and whoever takes turns in it. The properties below know nothing else, so that each can be shown
 * to reject implementations that are wrong in well-known ways.
 */
export interface Rotation {
  /** A publication with these members, in whatever order. */
  publish(members: readonly string[]): void;
  /** A first pick among the members that are open now. */
  pick(open: ReadonlySet<string>): string | undefined;
  /** A pick after a failure; `open` is what is left to try. */
  retry(open: ReadonlySet<string>): string | undefined;
}

/** A candidate as accepted from an overlay, without the way through the wire. */
export function candidate(site: string, fields: Partial<Candidate> = {}): Candidate {
  return {
    kind: 'inference_model',
    name: 'm',
    site,
    cluster: `c-${site}`,
    stableId: `id-${site}`,
    fresh: true,
    admissionState: 'new_and_existing',
    selectionGroup: 0,
    raw: {},
    ...fields,
  };
}

let revisions = 0;

/** An overlay that was never a document. Each has another revision. */
export function overlayWith(
  candidates: readonly Candidate[],
  selectionPolicy: SelectionPolicy = 'round_robin',
): Overlay {
  return { format: 'legacy', revision: `r${++revisions}`, localSite: 'here', selectionPolicy, candidates };
}

/** Every group of a snapshot, by ordinal. */
export function groupsOf(snapshot: Snapshot): Group[] {
  return [...snapshot.capabilities].flatMap(({ groups }) => groups);
}

/** Picker states with a fixed seed. */
export function newStates(): PickerStates {
  const draw = createDraw(sfc32([1, 2, 3, 4]));
  return new PickerStates({ start: { mode: 'first' }, draw, retryDraw: draw });
}

/** The real thing: snapshots and picker states. */
export class RealRotation implements Rotation {
  readonly #policy: SelectionPolicy;
  #states = newStates();
  #table: RoutingTable | undefined;

  constructor(policy: SelectionPolicy = 'round_robin') {
    this.#policy = policy;
  }

  publish(members: readonly string[]): void {
    const weighted = this.#policy.startsWith('weighted') ? { trafficWeight: 1 } : {};
    const candidates = members.map((site) => candidate(site, weighted));
    this.#table = this.#states.adopt(buildSnapshot(overlayWith(candidates, this.#policy), undefined));
  }

  pick(open: ReadonlySet<string>): string | undefined {
    return this.#take('turns', open);
  }

  retry(open: ReadonlySet<string>): string | undefined {
    return this.#take('retries', open);
  }

  #take(which: 'turns' | 'retries', open: ReadonlySet<string>): string | undefined {
    const [group] = this.#table === undefined ? [] : groupsOf(this.#table.snapshot);
    const members = group?.members ?? [];
    const set = new MemberSet(members.length, (i) => open.has(members[i]?.candidate.site ?? ''));
    return members[group === undefined ? -1 : (this.#table?.pickersOf(group)[which].pick(set) ?? -1)]
      ?.candidate.site;
  }
}

/** Wrong: counts picks and takes the count modulo the open members, as many balancers do. */
export class CounterModulo implements Rotation {
  protected members: string[] = [];
  #count = 0;
  #retries = 0;

  publish(members: readonly string[]): void {
    this.members = members.toSorted();
  }

  pick(open: ReadonlySet<string>): string | undefined {
    const usable = this.members.filter((member) => open.has(member));
    return usable[this.#count++ % usable.length];
  }

  retry(open: ReadonlySet<string>): string | undefined {
    const usable = this.members.filter((member) => open.has(member));
    return usable[this.#retries++ % usable.length];
  }
}

/** Wrong: right between publications, but every one of them starts again with the first member. */
export class ResetOnReload extends RealRotation {
  #inner = new RealRotation();

  override publish(members: readonly string[]): void {
    this.#inner = new RealRotation();
    this.#inner.publish(members);
  }

  override pick(open: ReadonlySet<string>): string | undefined {
    return this.#inner.pick(open);
  }

  override retry(open: ReadonlySet<string>): string | undefined {
    return this.#inner.retry(open);
  }
}

/** Wrong: resumes at the next member if it is still there, else with the first. */
export class NextOrFirst implements Rotation {
  #members: string[] = [];
  #next: string | undefined;

  publish(members: readonly string[]): void {
    this.#members = members.toSorted();
    if (this.#next === undefined || !members.includes(this.#next)) this.#next = this.#members[0];
  }

  pick(open: ReadonlySet<string>): string | undefined {
    const start = this.#members.indexOf(this.#next ?? '');
    const order = [...this.#members.slice(start), ...this.#members.slice(0, start)];
    const picked = order.find((member) => open.has(member));
    if (picked !== undefined)
      this.#next = this.#members[(this.#members.indexOf(picked) + 1) % this.#members.length];
    return picked;
  }

  retry(open: ReadonlySet<string>): string | undefined {
    return [...open][0];
  }
}

/** Wrong: retries take turns from first picks. */
export class SharedRetryCursor extends RealRotation {
  override retry(open: ReadonlySet<string>): string | undefined {
    return this.pick(open);
  }
}

/** Wrong: takes members in the order they were listed. */
export class ListedOrder extends CounterModulo {
  override publish(members: readonly string[]): void {
    this.members = [...members];
  }
}
