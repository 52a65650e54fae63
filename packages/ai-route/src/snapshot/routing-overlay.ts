import type { Candidate, Overlay } from '@switchyard/overlay-contract';

/** The part of a candidate that routing reads. */
export type RoutingCandidate = Omit<Candidate, 'raw' | 'score' | 'credential'>;

/** Candidates by number. An array is one; so is a packed list that unpacks a candidate when it is asked for. */
export interface CandidateRows {
  readonly length: number;
  at(index: number): RoutingCandidate | undefined;
}

/** The part of an accepted overlay that routing reads. */
export type RoutingOverlay = Omit<Overlay, 'candidates'> & { readonly candidates: CandidateRows };
