export {
  type BuildOverlayInput,
  type BuiltOverlay,
  buildOverlay,
  type WireCandidate,
} from './build/build-overlay.ts';
export { canonicalJson } from './canonical/canonical-json.ts';
export { overlayDigest } from './canonical/digest.ts';
export { OverlayContractError } from './errors.ts';
export { ATTRIBUTION_HEADERS, HOP_HEADERS } from './hop-headers.ts';
export { OVERLAY_ISSUE_CODES, type OverlayIssue, type OverlayIssueCode } from './issues.ts';
export { CANDIDATES_MAX, OVERLAY_BYTES_MAX, type ParseOverlayOptions } from './limits.ts';
export {
  ADMISSION_STATES,
  type AdmissionState,
  CANDIDATE_KINDS,
  type Candidate,
  type CandidateKind,
  type CredentialReference,
  type Overlay,
  type OverlayProvenance,
  type OverlayScope,
  SELECTION_POLICIES,
  type SelectionPolicy,
} from './model.ts';
export { type ParseOverlayResult, parseOverlay } from './parse/parse-overlay.ts';
export { defaultStableId } from './stable-id.ts';
