import type { Candidate, CandidateKind, Overlay, SelectionPolicy } from '@switchyard/overlay-contract';
import { compareMembers, memberKey } from './member-order.ts';
import { MemberSet } from './member-set.ts';
import { skippedCandidates } from './skipped.ts';
import type { Capability, Group, Member, Snapshot } from './snapshot.ts';
import { closedReason, type KnownClusters } from './viability.ts';

/** Indexes an accepted overlay for requests. Linear in candidates, but for sorting inside groups. */
export function buildSnapshot(overlay: Overlay, known: KnownClusters): Snapshot {
  const capabilities = new Map<CandidateKind, Map<string, Capability>>();
  const groups: Group[] = [];
  for (const candidates of byCapability(overlay.candidates)) {
    const capability = buildCapability(candidates, {
      policy: overlay.selectionPolicy,
      known,
      firstOrdinal: groups.length,
    });
    groups.push(...capability.groups);
    const byName = capabilities.get(capability.kind) ?? new Map<string, Capability>();
    capabilities.set(capability.kind, byName.set(capability.name, capability));
  }
  return {
    revision: overlay.revision,
    capabilities,
    groups,
    candidateCount: overlay.candidates.length,
    unknownClusters: unknownClusters(overlay, known),
  };
}

interface CapabilityContext {
  readonly policy: SelectionPolicy;
  readonly known: KnownClusters;
  readonly firstOrdinal: number;
}

function buildCapability(candidates: NonEmpty<Candidate>, context: CapabilityContext): Capability {
  const [{ kind, name, selectionGroup }] = candidates;
  // Without groups nobody competes: the first in the overlay's order serves, as before there were policies.
  const policy = selectionGroup === undefined ? 'deterministic' : context.policy;
  const members = candidates.map((candidate) => buildMember(candidate, context.known));
  const groups = [...partition(members, (member) => member.group)].map(([index, rows], position): Group => {
    const ordered =
      policy === 'deterministic' ? rows : rows.toSorted((a, b) => compareMembers(a.candidate, b.candidate));
    const open = new MemberSet(ordered.length, (slot) => ordered[slot]?.closed === undefined);
    return { ordinal: context.firstOrdinal + position, index, policy, members: ordered, open };
  });
  const active = groups.find((group) => group.open.size > 0);
  return {
    kind,
    name,
    policy,
    groups,
    byStableId: new Map(members.map((member) => [member.candidate.stableId, member])),
    active,
    // Shared by every decision, so that listing them costs a request nothing.
    skipped: Object.freeze(skippedCandidates(groups, active, ({ closed }) => closed)),
  };
}

function buildMember(candidate: Candidate, known: KnownClusters): Member {
  const { kind, name, site, cluster, stableId } = candidate;
  return {
    candidate,
    selected: Object.freeze({ kind, name, site, cluster, stableId, rank: candidate.rank ?? null }),
    group: candidate.selectionGroup ?? null,
    key: memberKey(candidate),
    closed: closedReason(candidate, known),
  };
}

function unknownClusters(overlay: Overlay, known: KnownClusters): readonly string[] {
  if (known === undefined) return [];
  const missing = new Set(
    overlay.candidates.map(({ cluster }) => cluster).filter((cluster) => !known.has(cluster)),
  );
  return [...missing].sort();
}

type NonEmpty<T> = readonly [T, ...T[]];

function byCapability(candidates: readonly Candidate[]): NonEmpty<Candidate>[] {
  const kinds = partition(candidates, ({ kind }) => kind);
  return [...kinds.values()].flatMap((ofKind) => [...partition(ofKind, ({ name }) => name).values()]);
}

/** Groups rows by key, keeping the order in which keys and rows appear. */
function partition<T, Key>(rows: readonly T[], keyOf: (row: T) => Key): Map<Key, NonEmpty<T>> {
  const parts = new Map<Key, [T, ...T[]]>();
  for (const row of rows) {
    const part = parts.get(keyOf(row));
    if (part === undefined) parts.set(keyOf(row), [row]);
    else part.push(row);
  }
  return parts;
}
