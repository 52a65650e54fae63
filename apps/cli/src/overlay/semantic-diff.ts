import type { Candidate } from '@switchyard/overlay-contract';
import { capabilityOf, identityOf, memberOf, type OverlayChange } from './changes.ts';
import { diffDocument } from './diff-document.ts';
import { diffMember } from './diff-member.ts';
import type { LoadedOverlay } from './load-overlay.ts';

/**
 * Every difference between two overlays, said in the contract's terms: document first, then capability by capability
 * in the order they are written. Two documents have the same revision exactly when no change but `metadata`, and
 * `scope` outside the payload, is listed.
 */
export function semanticDiff(before: LoadedOverlay, after: LoadedOverlay): OverlayChange[] {
  const members = diffCapabilities(before, after);
  return [...diffDocument(before, after), ...diffInterleaving(before, after, members), ...members];
}

function diffCapabilities(before: LoadedOverlay, after: LoadedOverlay): OverlayChange[] {
  const old = byCapability(before.overlay.candidates);
  const young = byCapability(after.overlay.candidates);
  const orderDecides = (key: string): boolean =>
    [before, after].some(({ overlay }) => overlay.selectionPolicy === 'deterministic') ||
    [old, young].some((side) => side.get(key)?.some(({ selectionGroup }) => selectionGroup === undefined));
  return [...new Set([...young.keys(), ...old.keys()])].flatMap((key) =>
    diffMembers(old.get(key) ?? [], young.get(key) ?? [], orderDecides(key)),
  );
}

/** Differences within one capability: who left, who came, who stayed but changed, and in which order they stand. */
function diffMembers(
  before: readonly Candidate[],
  after: readonly Candidate[],
  orderDecides: boolean,
): OverlayChange[] {
  const old = new Map(before.map((candidate) => [identityOf(candidate), candidate]));
  const young = new Map(after.map((candidate) => [identityOf(candidate), candidate]));
  const stayedBefore = before.filter((candidate) => young.has(identityOf(candidate)));
  const stayedAfter = after.filter((candidate) => old.has(identityOf(candidate)));
  return [
    ...before
      .filter((candidate) => !young.has(identityOf(candidate)))
      .map((candidate) => cameOrWent('member_removed', candidate)),
    ...after.flatMap((candidate) => {
      const was = old.get(identityOf(candidate));
      return was === undefined ? [cameOrWent('member_added', candidate)] : diffMember(was, candidate);
    }),
    ...diffOrder(stayedBefore, stayedAfter, orderDecides),
  ];
}

function cameOrWent(type: 'member_added' | 'member_removed', candidate: Candidate): OverlayChange {
  return {
    type,
    effect: 'routing',
    capability: capabilityOf(candidate),
    member: memberOf(candidate),
    field: null,
    before: type === 'member_removed' ? candidate.raw : null,
    after: type === 'member_added' ? candidate.raw : null,
  };
}

/** Only `deterministic`, and capabilities without groups, follow the written order; all else has a canonical one. */
function diffOrder(
  before: readonly Candidate[],
  after: readonly Candidate[],
  orderDecides: boolean,
): OverlayChange[] {
  const [first] = after;
  if (first === undefined || sameOrder(before, after)) return [];
  return [
    {
      type: 'order',
      effect: orderDecides ? 'routing' : 'spelling',
      capability: capabilityOf(first),
      member: null,
      field: null,
      before: before.map(memberOf),
      after: after.map(memberOf),
    },
  ];
}

/** The candidates stand in the same order in each capability, but the capabilities are mixed in another way. */
function diffInterleaving(
  before: LoadedOverlay,
  after: LoadedOverlay,
  members: readonly OverlayChange[],
): OverlayChange[] {
  const old = new Set(before.overlay.candidates.map(identityOf));
  const young = new Set(after.overlay.candidates.map(identityOf));
  const stayedBefore = before.overlay.candidates.filter((candidate) => young.has(identityOf(candidate)));
  const stayedAfter = after.overlay.candidates.filter((candidate) => old.has(identityOf(candidate)));
  if (sameOrder(stayedBefore, stayedAfter) || members.some(({ type }) => type === 'order')) return [];
  const shown = (candidates: readonly Candidate[]): unknown =>
    candidates.map((candidate) => ({ ...capabilityOf(candidate), ...memberOf(candidate) }));
  return [
    {
      type: 'document_order',
      effect: 'spelling',
      capability: null,
      member: null,
      field: null,
      before: shown(stayedBefore),
      after: shown(stayedAfter),
    },
  ];
}

function sameOrder(before: readonly Candidate[], after: readonly Candidate[]): boolean {
  return before.every((candidate, index) => {
    const other = after[index];
    return other !== undefined && identityOf(other) === identityOf(candidate);
  });
}

function byCapability(candidates: readonly Candidate[]): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const key = JSON.stringify([candidate.kind, candidate.name]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [candidate]);
    else group.push(candidate);
  }
  return groups;
}
