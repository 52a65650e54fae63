import type { SelectionPolicy } from '@switchyard/overlay-contract';
import { seededRandom } from '@switchyard/test-kit';
import {
  createRouter,
  type RouteResult,
  type Router,
  type Selection,
  type StaticCandidate,
} from '../../src/index.ts';
import type { CommonRouterOptions } from '../../src/options/options.ts';
import { MODEL } from './overlays.ts';

/** Groups written as the sites of their members: `['abc', 'de']`. */
export function candidatesOf(
  groups: readonly string[],
  fields: Partial<StaticCandidate> = {},
): StaticCandidate[] {
  return groups.flatMap((sites, selectionGroup) =>
    [...sites].map((site) => ({
      kind: MODEL.kind,
      name: MODEL.name,
      site,
      cluster: `provider-${site}`,
      stableId: `id-${site}`,
      selectionGroup,
      ...fields,
    })),
  );
}

export function staticRouter(
  candidates: readonly StaticCandidate[],
  options: CommonRouterOptions & { readonly selectionPolicy?: SelectionPolicy } = {},
): Promise<Router> {
  return createRouter({
    localSite: 'here',
    selectionPolicy: 'round_robin',
    random: seededRandom(7),
    ...options,
    candidates,
  });
}

export function selectionOf(result: RouteResult): Selection {
  if (!result.ok) throw new Error(`nothing selected: ${result.reason}`);
  return result.selection;
}
