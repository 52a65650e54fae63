import type { Overlay } from '@switchyard/overlay-contract';
import { compareMembers } from './member-order.ts';
import { indexNames, type NameIndex } from './name-index.ts';
import type { RoutingCandidate } from './routing-overlay.ts';

/**
 * Who stands where in a snapshot: all that has to be looked up, grouped and sorted, as plain numbers, so that another
 * process can work it out and hand it over.
 */
export interface IndexPlan {
  /** Candidate numbers: capability by capability, group by group, each group in the order of its members. */
  readonly rows: Uint32Array;
  /** Where each group ends in `rows`. */
  readonly groupEnds: Uint32Array;
  /** Where each capability ends in `groupEnds`. */
  readonly capabilityEnds: Uint32Array;
  /** Which capabilities have a name. */
  readonly names: NameIndex;
  /** For every cluster that is named, the first candidate that names it. */
  readonly clusterRows: Uint32Array;
}

/** Where part `number` of a plan begins in what `ends` is about. */
export function startOf(ends: Uint32Array, number: number): number {
  return number === 0 ? 0 : (ends[number - 1] ?? 0);
}

/** Works out the order of capabilities, groups and members. Linear in candidates, but for sorting inside groups. */
export function planIndex({
  candidates,
  selectionPolicy,
}: {
  readonly candidates: readonly RoutingCandidate[];
  readonly selectionPolicy: Overlay['selectionPolicy'];
}): IndexPlan {
  const rows = new Uint32Array(candidates.length);
  const groupEnds: number[] = [];
  const capabilityEnds: number[] = [];
  let filled = 0;
  const capabilities = byCapability(candidates);
  for (const ofCapability of capabilities) {
    for (const group of partition(ofCapability, ({ candidate }) => candidate.selectionGroup).values()) {
      // Without groups nobody competes, and the overlay's order decides, as it does under `deterministic`.
      const listed = selectionPolicy === 'deterministic' || group[0]?.candidate.selectionGroup === undefined;
      if (!listed) group.sort((a, b) => compareMembers(a.candidate, b.candidate));
      for (const { row } of group) rows[filled++] = row;
      groupEnds.push(filled);
    }
    capabilityEnds.push(groupEnds.length);
  }
  return {
    rows,
    groupEnds: Uint32Array.from(groupEnds),
    capabilityEnds: Uint32Array.from(capabilityEnds),
    names: indexNames(capabilities.map(([first]) => first?.candidate.name ?? '')),
    clusterRows: firstRows(candidates, ({ cluster }) => cluster),
  };
}

interface Numbered {
  readonly row: number;
  readonly candidate: RoutingCandidate;
}

function byCapability(candidates: readonly RoutingCandidate[]): Numbered[][] {
  const numbered = candidates.map((candidate, row): Numbered => ({ row, candidate }));
  const kinds = partition(numbered, ({ candidate }) => candidate.kind);
  return [...kinds.values()].flatMap((ofKind) => [
    ...partition(ofKind, ({ candidate }) => candidate.name).values(),
  ]);
}

/** The first row of each key. */
function firstRows<T>(rows: readonly T[], keyOf: (row: T) => unknown): Uint32Array {
  const seen = new Set<unknown>();
  const first: number[] = [];
  for (const [number, row] of rows.entries()) {
    if (seen.has(keyOf(row))) continue;
    seen.add(keyOf(row));
    first.push(number);
  }
  return Uint32Array.from(first);
}

/** Groups rows by key, keeping the order in which keys and rows appear. */
function partition<T, Key>(rows: readonly T[], keyOf: (row: T) => Key): Map<Key, T[]> {
  const parts = new Map<Key, T[]>();
  for (const row of rows) {
    const part = parts.get(keyOf(row));
    if (part === undefined) parts.set(keyOf(row), [row]);
    else part.push(row);
  }
  return parts;
}
