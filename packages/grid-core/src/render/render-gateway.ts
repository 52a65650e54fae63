import { type BuiltOverlay, buildOverlay, type WireCandidate } from '@switchyard/overlay-contract';
import {
  type BuiltCandidates,
  buildCandidates,
  type GridCandidate,
  type ProviderExclusion,
} from '../candidates/build-candidates.ts';
import { describeIdentity, stableId } from '../identity/stable-id.ts';
import type { GatewayRef, GridNetwork, GridSite, InferenceProvider, ProviderPhase } from '../model.ts';
import { assignGroups } from '../order/assign-groups.ts';
import { deduplicate } from '../order/deduplicate.ts';
import { compareCandidates, sortCandidates } from '../order/sort-candidates.ts';
import { compareUtf8 } from '../text/compare-utf8.ts';
import type { CandidateSummary, RenderedOverlay, RenderFailure, RenderFailureCode } from './render-result.ts';

/** A network with everything that belongs to it. */
export interface NetworkContents {
  readonly network: GridNetwork;
  readonly sites: readonly GridSite[];
  readonly providers: readonly InferenceProvider[];
}

/** The same for all gateways of one rendering. */
export interface RenderContext {
  readonly producer: { readonly name: string; readonly version: string };
  /** RFC 3339. */
  readonly renderedAt: string;
  readonly phases: ReadonlyMap<string, ProviderPhase>;
}

interface OrderedCandidate extends GridCandidate {
  readonly stableId: string;
  readonly rank: number;
  readonly group: number;
}

type GatewayResult = { readonly overlay: RenderedOverlay } | { readonly failure: RenderFailure };

/** Renders the overlay of one gateway, or says why it can't be rendered. */
export function renderGateway(
  contents: NetworkContents,
  gateway: GatewayRef,
  context: RenderContext,
): GatewayResult {
  const { network } = contents;
  const fail = (code: RenderFailureCode, message: string, cause?: unknown): GatewayResult => ({
    failure: {
      network: network.metadata.name,
      gateway: gateway.name,
      namespace: gateway.namespace,
      code,
      message,
      causes: [],
      ...(cause === undefined ? {} : { cause }),
    },
  });
  const localSite = gateway.localSiteName ?? network.metadata.name;
  const built = buildCandidates({ ...contents, localSite, phases: context.phases });
  if (built.candidates.length === 0) return fail('EmptyCandidates', emptyMessage(localSite, built));
  const ordered = orderCandidates(built.candidates, network);
  const collision = stableIdCollision(ordered);
  if (collision !== undefined) return fail('StableIdCollision', collision);
  try {
    const text = build({ network, gateway, localSite, context }, ordered);
    return {
      overlay: { ...summary(network, gateway, ordered), ...text, localSite, exclusions: built.exclusions },
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(
      'OverlayRenderFailed',
      `the overlay breaks the contract, so no gateway would accept it: ${reason}`,
      error,
    );
  }
}

/** Deduplicates, sorts, ranks over the whole list and groups per capability. */
function orderCandidates(candidates: readonly GridCandidate[], network: GridNetwork): OrderedCandidate[] {
  const policy = network.spec.routingPolicy;
  const compare = compareCandidates(policy);
  // Two providers can offer one identity equally well; the name decides which one's weight and credential count.
  const better = (left: GridCandidate, right: GridCandidate): number =>
    compare(left, right) || compareUtf8(left.provider, right.provider);
  const sorted = sortCandidates(deduplicate(candidates, better), policy);
  const groups = assignGroups(sorted, policy);
  return sorted.map((candidate, rank) => ({
    ...candidate,
    stableId: stableId(candidate),
    rank,
    group: groups[rank] ?? 0,
  }));
}

function stableIdCollision(ordered: readonly OrderedCandidate[]): string | undefined {
  const seen = new Map<string, OrderedCandidate>();
  for (const candidate of ordered) {
    const other = seen.get(candidate.stableId);
    if (other !== undefined) {
      const both = `${describeIdentity(other)} and ${describeIdentity(candidate)}`;
      return `${both} would share the stable_id ${candidate.stableId}; rename a model, site or routingClusterRef`;
    }
    seen.set(candidate.stableId, candidate);
  }
  return undefined;
}

interface BuildScope {
  readonly network: GridNetwork;
  readonly gateway: GatewayRef;
  readonly localSite: string;
  readonly context: RenderContext;
}

function build(
  scope: BuildScope,
  ordered: readonly OrderedCandidate[],
): Pick<BuiltOverlay, 'revision' | 'text' | 'legacyText'> {
  const { metadata, spec } = scope.network;
  const weighted = spec.placementPolicy?.strategy === 'static';
  const { revision, text, legacyText } = buildOverlay({
    scope: {
      network: metadata.name,
      gateway: scope.gateway.name,
      namespace: scope.gateway.namespace,
      localSite: scope.localSite,
    },
    provenance: {
      producer: scope.context.producer.name,
      producerVersion: scope.context.producer.version,
      sourceName: metadata.name,
      sourceUid: metadata.uid,
      sourceGeneration: metadata.generation,
      renderedAt: scope.context.renderedAt,
    },
    candidates: ordered.map((candidate) => wireCandidate(candidate, weighted)),
    dialect: spec.overlayDialect,
    ...(spec.selectionPolicy === undefined ? {} : { selectionPolicy: spec.selectionPolicy.mode }),
  });
  return { revision, text, legacyText };
}

/** Without metrics there is no score: a constant one would only pretend that something was measured. */
function wireCandidate(candidate: OrderedCandidate, weighted: boolean): WireCandidate {
  return {
    kind: candidate.kind,
    name: candidate.name,
    site: candidate.site,
    cluster: candidate.cluster,
    stable_id: candidate.stableId,
    fresh: candidate.fresh,
    rank: candidate.rank,
    admission_state: candidate.admissionState,
    selection_tier: candidate.selectionTier,
    selection_group: candidate.group,
    ...(weighted ? { traffic_weight: candidate.capacityWeight } : {}),
    ...(candidate.credential === undefined ? {} : { credential: candidate.credential }),
  };
}

function summary(
  network: GridNetwork,
  gateway: GatewayRef,
  ordered: readonly OrderedCandidate[],
): Pick<RenderedOverlay, 'network' | 'gateway' | 'namespace' | 'candidateCount' | 'candidates'> {
  const candidates = ordered.map(
    (candidate): CandidateSummary => ({
      stableId: candidate.stableId,
      kind: candidate.kind,
      name: candidate.name,
      site: candidate.site,
      cluster: candidate.cluster,
      provider: candidate.provider,
      group: candidate.group,
      tier: candidate.selectionTier,
      admission: candidate.admissionState,
      fresh: candidate.fresh,
    }),
  );
  return {
    network: network.metadata.name,
    gateway: gateway.name,
    namespace: gateway.namespace,
    candidateCount: candidates.length,
    candidates,
  };
}

const EXCLUSION_WORDS: Readonly<Record<ProviderExclusion['reason'], string>> = {
  unavailable: 'is unavailable',
  access_denied: 'does not admit this site by its accessPolicy',
  no_matching_site: 'has a siteSelector that matches no GridSite',
};

function emptyMessage(localSite: string, { exclusions }: BuiltCandidates): string {
  if (exclusions.length === 0) return 'the network has no InferenceProvider; nothing is published';
  const reasons = exclusions.map(({ provider, reason }) => `${provider} ${EXCLUSION_WORDS[reason]}`);
  return `no candidate for site ${JSON.stringify(localSite)}, so nothing is published: ${reasons.join('; ')}`;
}
