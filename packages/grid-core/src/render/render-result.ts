import type { ProviderExclusion } from '../candidates/build-candidates.ts';
import type { CandidateIdentity } from '../identity/stable-id.ts';
import type { ManifestIssue } from '../manifests/issues.ts';
import type { SelectionTier } from '../model.ts';

/** The closed list of codes of {@link RenderFailure}. */
export const RENDER_FAILURE_CODES = [
  'ManifestInvalid',
  'NotAvailable',
  'PlacementConflict',
  'DuplicateGateway',
  'EmptyCandidates',
  'StableIdCollision',
  'OverlayRenderFailed',
] as const;

/** One of {@link RENDER_FAILURE_CODES}. */
export type RenderFailureCode = (typeof RENDER_FAILURE_CODES)[number];

/** A candidate of a rendered overlay, for logs and status; in overlay order. */
export interface CandidateSummary extends CandidateIdentity {
  readonly stableId: string;
  /** The InferenceProvider it comes from. */
  readonly provider: string;
  readonly group: number;
  readonly tier: SelectionTier;
  readonly admission: 'new_and_existing' | 'existing_only';
  readonly fresh: boolean;
}

/** An overlay that is ready to be published. */
export interface RenderedOverlay {
  readonly network: string;
  readonly gateway: string;
  readonly namespace: string;
  readonly localSite: string;
  /** Content address, 64 hex digits. Equal content means an equal revision, whenever it was rendered. */
  readonly revision: string;
  /** Content of `routing-overlay.json`: the envelope. */
  readonly text: string;
  /** Content of `routing-config.json`: the bare overlay. */
  readonly legacyText: string;
  readonly candidateCount: number;
  readonly candidates: readonly CandidateSummary[];
  /** Providers of the network that this gateway gets no candidate from, and why. */
  readonly exclusions: readonly ProviderExclusion[];
}

/** A gateway for which nothing was rendered. What was published for it before must stay. */
export interface RenderFailure {
  readonly network: string;
  /** Empty when the network's own manifest could not be read and its gateways are therefore unknown. */
  readonly gateway: string;
  readonly namespace: string;
  readonly code: RenderFailureCode;
  readonly message: string;
  /** The issues that hold the gateway back; empty for other failures. */
  readonly causes: readonly ManifestIssue[];
  /** What was thrown, when something was. */
  readonly cause?: unknown;
}

/** One entry per gateway reference in one of the two lists, each in order of network, namespace and gateway. */
export interface RenderResult {
  readonly overlays: readonly RenderedOverlay[];
  readonly failures: readonly RenderFailure[];
}
