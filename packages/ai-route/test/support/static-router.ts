import type { SelectionPolicy } from '@switchyard/overlay-contract';
import { seededRandom } from '@switchyard/test-kit';
import {
  type AttemptOutcome,
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

/** The attempt succeeded. */
export const ANSWERED: AttemptOutcome = { result: 'answered' };

/** The attempt failed, and that is not held against the candidate. */
export const NO_ENDPOINT: AttemptOutcome = { result: 'no_endpoint' };

/** Another attempt after one that {@link NO_ENDPOINT} ended. */
export function nextOf(selection: Selection): Selection {
  const result = selection.next(NO_ENDPOINT);
  if (!result.ok) throw new Error(`nobody left: ${result.reason}`);
  return result.selection;
}

export function selectionOf(result: RouteResult): Selection {
  if (!result.ok) throw new Error(`nothing selected: ${result.reason}`);
  return result.selection;
}
