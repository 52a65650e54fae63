import type { Candidate, Overlay } from '@switchyard/overlay-contract';

/** The part of a candidate that routing reads. */
export type RoutingCandidate = Omit<Candidate, 'raw' | 'score' | 'credential'>;

/** What a candidate is listed by. */
export type CandidateEntry = Pick<RoutingCandidate, 'kind' | 'name' | 'cluster'>;

/** Candidates by number. An array is one; so is a packed list that unpacks a candidate when it is asked for. */
export interface CandidateRows {
  readonly length: number;
  at(index: number): RoutingCandidate | undefined;
  /** The candidate as far as listings go, where that is cheaper: thousands are listed at each reload. */
  entryAt?(index: number): CandidateEntry | undefined;
}

/** The part of an accepted overlay that routing reads. */
export type RoutingOverlay = Omit<Overlay, 'candidates'> & { readonly candidates: CandidateRows };
