import type { AffinityOutcome, DecisionReason, SkippedCandidate } from '../../src/index.ts';

/** What a choice must be: one of these sites, and recorded like this. */
export interface ExpectedChoice {
  readonly ok: true;
  readonly sites: readonly string[];
  readonly group: number;
  readonly reason: DecisionReason;
  readonly affinity: AffinityOutcome;
  readonly skipped: readonly SkippedCandidate[];
  readonly fallthrough: boolean;
}
export type Expected<Reason extends string> =
  | ExpectedChoice
  | { readonly ok: false; readonly reason: Reason };
