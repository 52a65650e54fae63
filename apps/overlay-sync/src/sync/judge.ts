import { type OverlayScope, type ParseOverlayResult, parseOverlay } from '@switchyard/overlay-contract';

/** Judges a document. */
export type Judge = (bytes: Uint8Array) => ParseOverlayResult;

/** What is accepted. For a copy that never hands over what the gateway refuses, no wider than the gateway's own. */
export interface JudgeOptions {
  readonly expectedScope: OverlayScope;
  readonly maxBytes: number;
  readonly maxCandidates: number;
}

/** The contract's own validator, the one the gateway uses: what passes here, passes there. */
export function createJudge({ expectedScope, maxBytes, maxCandidates }: JudgeOptions): Judge {
  return (bytes) => parseOverlay(bytes, { expectedScope, maxBytes, maxCandidates });
}
