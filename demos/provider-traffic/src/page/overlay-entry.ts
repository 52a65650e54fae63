import type { OverlayCandidate, OverlayEntry } from '@switchyard/trace-view';
import { publishedPolicy } from '../proofs/control-plane.ts';

interface PublishedOverlay {
  readonly revision?: { readonly value?: string };
  readonly provenance?: { readonly source_generation?: number; readonly rendered_at?: string };
  readonly overlay?: { readonly candidates?: readonly PublishedCandidate[] };
}
interface PublishedCandidate {
  readonly site?: string;
  readonly cluster?: string;
  readonly stable_id?: string;
  readonly rank?: number;
  readonly selection_group?: number;
  readonly admission_state?: string;
  readonly fresh?: boolean;
  readonly traffic_weight?: number;
}

/** An overlay that the gateway accepted, as the page's timeline has it. `at` is RFC 3339; default: when it was rendered. */
export function acceptedEntry(document: unknown, given: { at?: string; message: string }): OverlayEntry {
  const { revision, provenance, overlay } = document as PublishedOverlay;
  return {
    at: given.at ?? provenance?.rendered_at ?? '',
    outcome: 'accepted',
    revision: revision?.value ?? null,
    generation: provenance?.source_generation ?? null,
    policy: publishedPolicy(document),
    code: null,
    message: given.message,
    candidates: (overlay?.candidates ?? []).map(candidateOf),
  };
}

function candidateOf(candidate: PublishedCandidate): OverlayCandidate {
  return {
    provider: candidate.cluster ?? '',
    site: candidate.site ?? '',
    stableId: candidate.stable_id ?? '',
    rank: candidate.rank ?? null,
    group: candidate.selection_group ?? null,
    admission: candidate.admission_state ?? 'new_and_existing',
    fresh: candidate.fresh ?? true,
    weight: candidate.traffic_weight ?? null,
  };
}
