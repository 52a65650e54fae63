import type { AdmissionState, Candidate, Overlay, SelectionPolicy } from '@switchyard/overlay-contract';
import { candidate, overlayWith } from '../support/rotation.ts';

/** A group as a publication states it: sites, and the admission they share. */
export interface PlannedGroup {
  readonly sites: readonly string[];
  readonly admission: AdmissionState;
}

/** What is published: the same groups for both models. */
export interface Publication {
  readonly policy: SelectionPolicy;
  readonly groups: readonly PlannedGroup[];
}

/** Two models, so that what happens to one can be seen not to touch the other. */
export const MODELS = ['m', 'n'] as const;
export type Model = (typeof MODELS)[number];

export const idOf = (model: Model, site: string): string => `${model}-${site}`;

/** The overlay of a publication. Its candidates are listed backwards, since their order must not matter. */
export function overlayOf({ policy, groups }: Publication): Overlay {
  const weighted = policy.startsWith('weighted');
  const candidates = MODELS.flatMap((model) =>
    groups.flatMap(({ sites, admission }, selectionGroup): Candidate[] =>
      sites
        .toSorted((a, b) => (policy === 'deterministic' ? a.localeCompare(b) : b.localeCompare(a)))
        .map((site) =>
          candidate(site, {
            name: model,
            stableId: idOf(model, site),
            selectionGroup,
            admissionState: admission,
            ...(weighted && { trafficWeight: (site.charCodeAt(0) % 3) + 1 }),
          }),
        ),
    ),
  );
  return overlayWith(candidates, policy);
}
