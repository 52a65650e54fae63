import type { CredentialReference } from '@switchyard/overlay-contract';
import type { CandidateIdentity } from '../identity/stable-id.ts';
import type { GridSite, InferenceProvider, ProviderAuth, ProviderPhase, SelectionTier } from '../model.ts';
import { isAccessAllowed } from './access-policy.ts';
import { hostingSites, routingIdentity } from './site-inventory.ts';
import { selectionTier } from './tier.ts';

/** A candidate before it is ordered. */
export interface GridCandidate extends CandidateIdentity {
  readonly kind: 'inference_model';
  /** Name of the InferenceProvider; several can share a cluster. */
  readonly provider: string;
  readonly admissionState: 'new_and_existing' | 'existing_only';
  readonly selectionTier: SelectionTier;
  readonly fresh: boolean;
  readonly capacityWeight: number;
  readonly credential?: CredentialReference;
}

/** Why a provider gives a gateway no candidate. */
export interface ProviderExclusion {
  readonly provider: string;
  readonly reason: 'unavailable' | 'access_denied' | 'no_matching_site';
}

/** What {@link buildCandidates} looks at: one network, seen from one gateway's site. */
export interface CandidateScope {
  /** The consumer's site. */
  readonly localSite: string;
  /** The network's sites. */
  readonly sites: readonly GridSite[];
  /** The network's providers. */
  readonly providers: readonly InferenceProvider[];
  /** By provider name, never by cluster, which several providers may share. Missing: `unknown`. */
  readonly phases: ReadonlyMap<string, ProviderPhase>;
}

/** The candidates of one gateway, unordered, and the providers without any. */
export interface BuiltCandidates {
  readonly candidates: readonly GridCandidate[];
  readonly exclusions: readonly ProviderExclusion[];
}

/** One candidate per usable, permitted provider, model and hosting site. */
export function buildCandidates(scope: CandidateScope): BuiltCandidates {
  const sites = new Map(scope.sites.map((site) => [site.metadata.name, site]));
  const consumer = sites.get(scope.localSite);
  const candidates: GridCandidate[] = [];
  const exclusions: ProviderExclusion[] = [];
  for (const provider of scope.providers) {
    const phase = scope.phases.get(provider.metadata.name) ?? 'unknown';
    const hosts = hostingSites(provider, scope.sites);
    const reason = exclusionReason({ provider, phase, consumer, hosts });
    if (reason !== undefined) {
      exclusions.push({ provider: provider.metadata.name, reason });
      continue;
    }
    for (const site of hosts) {
      const tier = selectionTier(scope.localSite, site, sites);
      candidates.push(...candidatesAt(provider, { site, selectionTier: tier, fresh: phase !== 'degraded' }));
    }
  }
  return { candidates, exclusions };
}

function exclusionReason(input: {
  readonly provider: InferenceProvider;
  readonly phase: ProviderPhase;
  readonly consumer: GridSite | undefined;
  readonly hosts: readonly string[];
}): ProviderExclusion['reason'] | undefined {
  if (input.phase === 'unavailable') return 'unavailable';
  if (!isAccessAllowed(input.provider, input.consumer)) return 'access_denied';
  return input.hosts.length === 0 ? 'no_matching_site' : undefined;
}

function candidatesAt(
  provider: InferenceProvider,
  place: Pick<GridCandidate, 'site' | 'selectionTier' | 'fresh'>,
): GridCandidate[] {
  const { spec, metadata } = provider;
  const credential = projectedCredential(spec.auth);
  return spec.models.map(({ name }) => ({
    kind: 'inference_model',
    name,
    cluster: routingIdentity(provider),
    provider: metadata.name,
    admissionState: spec.trafficPolicy?.drain === true ? 'existing_only' : 'new_and_existing',
    capacityWeight: spec.capacityWeight,
    ...place,
    ...(credential === undefined ? {} : { credential }),
  }));
}

/** Only a bearer token that Grid manages reaches the overlay, and only as a reference. */
function projectedCredential(auth: ProviderAuth | undefined): CredentialReference | undefined {
  if (auth?.strategy !== 'bearer_token' || auth.manual === true || auth.secretRef === undefined)
    return undefined;
  const { name, namespace, key } = auth.secretRef;
  return { strategy: 'bearer_token', secretRef: { name, namespace, key } };
}
