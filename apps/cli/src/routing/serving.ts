import type { CapabilityView } from '@switchyard/ai-route';
import type { SelectionPolicy } from '@switchyard/overlay-contract';
import type { CapabilityName, MemberName } from '../overlay/changes.ts';

/** Who takes the new requests of a capability. */
export interface Serving {
  readonly policy: SelectionPolicy;
  /** The active group; null when the capability has no groups, or nobody can serve. */
  readonly group: number | null;
  /** Who shares the requests; under `deterministic` the one who gets them all. Empty: nobody can serve. */
  readonly members: readonly ServingMember[];
}

/** A member with its weight; null under policies without weights. */
interface ServingMember extends MemberName {
  readonly weight: number | null;
}

/** How the answer for a capability changes; null where the overlay doesn't have the capability. */
export interface ServingChange {
  readonly capability: CapabilityName;
  readonly before: Serving | null;
  readonly after: Serving | null;
}

/** For which capabilities new requests go elsewhere, or are shared in another way. Takes the views of two routers. */
export function servingChanges(
  before: readonly CapabilityView[],
  after: readonly CapabilityView[],
): ServingChange[] {
  const old = servings(before);
  const young = servings(after);
  return [...new Map([...young, ...old]).entries()].flatMap(([key, { capability }]) => {
    const change = {
      capability,
      before: old.get(key)?.serving ?? null,
      after: young.get(key)?.serving ?? null,
    };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
  });
}

/** Who serves one capability. */
export function servingOf({ policy, groups }: CapabilityView): Serving {
  const active = groups.find((group) => group.active);
  const members = (active?.members ?? []).filter(
    ({ viable, stableId }) => viable && (policy !== 'deterministic' || stableId === active?.nextTurn),
  );
  return {
    policy,
    group: active?.group ?? null,
    members: members.map(({ site, cluster, stableId, trafficWeight }) => ({
      site,
      cluster,
      stableId,
      weight: trafficWeight,
    })),
  };
}

function servings(
  views: readonly CapabilityView[],
): Map<string, { readonly capability: CapabilityName; readonly serving: Serving }> {
  return new Map(
    views.map((view) => [
      JSON.stringify([view.kind, view.name]),
      { capability: { kind: view.kind, name: view.name }, serving: servingOf(view) },
    ]),
  );
}
