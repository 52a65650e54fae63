export type { ProviderExclusion } from './candidates/build-candidates.ts';
export { GRID_CORE_ERROR_CODES, GridCoreError, type GridCoreErrorCode } from './errors.ts';
export { type HealthTarget, healthTarget } from './health-target.ts';
export { type CandidateIdentity, stableId } from './identity/stable-id.ts';
export {
  formatIssue,
  type IssueGateway,
  MANIFEST_ISSUE_CODES,
  type ManifestIssue,
  type ManifestIssueCode,
} from './manifests/issues.ts';
export { type ManifestFile, type ParsedManifests, parseManifests } from './manifests/parse-manifests.ts';
export type {
  AdmissionPolicy,
  GatewayRef,
  GridInventory,
  GridNetwork,
  GridNetworkSpec,
  GridSite,
  GridSiteSpec,
  HealthCheck,
  InferenceProvider,
  InferenceProviderSpec,
  Labels,
  ManifestSource,
  ObjectMeta,
  Opaque,
  PlacementPolicy,
  ProviderAuth,
  ProviderModel,
  ProviderPhase,
  RoutingPolicy,
  ScoringStrategy,
  SecretRef,
  SelectionTier,
  SiteSelector,
} from './model.ts';
export { assignGroups } from './order/assign-groups.ts';
export type { OrderableCandidate } from './order/order-key.ts';
export { type CandidateComparator, compareCandidates, sortCandidates } from './order/sort-candidates.ts';
export { type RenderInput, renderOverlays } from './render/render-overlays.ts';
export {
  type CandidateSummary,
  RENDER_FAILURE_CODES,
  type RenderedOverlay,
  type RenderFailure,
  type RenderFailureCode,
  type RenderResult,
} from './render/render-result.ts';
export { parseDurationMs } from './text/durations.ts';
