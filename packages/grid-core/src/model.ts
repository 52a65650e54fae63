import type { SelectionPolicy } from '@switchyard/overlay-contract';

/** Which eligibility boundary is preferred. */
export type RoutingPolicy = 'geographyFirst' | 'scoreFirst';

/** Where a candidate's site stands, seen from the consumer's site; best first. */
export type SelectionTier = 'same_site' | 'same_zone' | 'same_region' | 'cross_region' | 'unknown';

/** Which asynchronous signal affects preference. Only `noMetrics` can be rendered today. */
export type ScoringStrategy = 'noMetrics' | 'queueDepth' | 'kvCachePressure';

/**
 * What is known about a provider's health. `unavailable` gives no candidate, `degraded` gives a candidate that is not
 * fresh, `available` and `unknown` (not probed, or not yet) are usable.
 */
export type ProviderPhase = 'available' | 'degraded' | 'unavailable' | 'unknown';

/** Labels of an object, or labels that an object must have. */
export type Labels = Readonly<Record<string, string>>;

/** A part of a manifest that is accepted and carried, but that this package gives no meaning. */
export type Opaque = Readonly<Record<string, unknown>>;

/** Where an object was written. */
export interface ManifestSource {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Kubernetes-style metadata with the two fields that files don't have filled in. */
export interface ObjectMeta {
  readonly name: string;
  /** As written, else `derived-` and 32 hex digits that depend on kind and name only. */
  readonly uid: string;
  /** At least 1. As written, else 1: files have no generation. */
  readonly generation: number;
  readonly labels: Labels;
}

/** Selects sites by label; empty selects all. */
export interface SiteSelector {
  readonly matchLabels?: Labels;
}

/** One gateway that gets an overlay of its own. */
export interface GatewayRef {
  readonly name: string;
  readonly namespace: string;
  /** The GridSite the gateway runs at. Default: the network's name. */
  readonly localSiteName?: string;
  readonly consumerConfig?: Opaque;
}

/** `spec` of a GridNetwork. */
export interface GridNetworkSpec {
  /** Default empty: a network without gateways renders nothing. */
  readonly gatewayRefs: readonly GatewayRef[];
  /** Default `geographyFirst`. */
  readonly routingPolicy: RoutingPolicy;
  /** Default `noMetrics`. */
  readonly scoringPolicy: { readonly strategy: ScoringStrategy };
  /** Absent stays absent in the overlay. */
  readonly selectionPolicy?: { readonly mode: SelectionPolicy };
  /** Given if and only if the selection policy is a weighted one. */
  readonly placementPolicy?: PlacementPolicy;
  /** How `selection_policy` is spelt in the overlay. Default `switchyard`. */
  readonly overlayDialect: 'switchyard' | 'praxis';
  readonly admissionPolicy?: AdmissionPolicy;
  readonly gridId?: string;
  readonly region?: string;
  readonly zone?: string;
  readonly seeds?: readonly unknown[];
  readonly swim?: Opaque;
  readonly tls?: Opaque;
  readonly signalTransport?: Opaque;
  readonly budgetPolicy?: Opaque;
  /** A duration of at least one second. */
  readonly metricsRefreshInterval?: string;
  readonly staleCandidateTtlSeconds?: number;
}

/** How `traffic_weight` is found. Only `static` (the provider's `capacityWeight`) can be rendered today. */
export interface PlacementPolicy {
  readonly strategy: 'static' | 'pressureWeighted';
  readonly signal?: string;
  readonly smoothingFactor?: number;
  readonly staleSignalSeconds?: number;
}

/** Pressure admission. Without metrics every usable provider stays `new_and_existing`, so it has no effect today. */
export interface AdmissionPolicy {
  readonly mode?: 'instantaneous' | 'stabilized';
  readonly missingMetrics?: 'existingOnly' | 'excluded';
  readonly pressure?: Opaque;
}

/** `spec` of a GridSite. */
export interface GridSiteSpec {
  readonly gridNetworkRef: string;
  readonly region?: string;
  readonly zone?: string;
  readonly sovereigntyZone?: string;
  readonly egress?: Opaque;
  readonly trust?: Opaque;
}

/** A secret's place, never its value. */
export interface SecretRef {
  readonly name: string;
  readonly namespace: string;
  readonly key: string;
}

/** How a gateway authenticates to a provider. */
export interface ProviderAuth {
  readonly strategy:
    | 'api_key'
    | 'bearer_token'
    | 'custom'
    | 'mtls_only'
    | 'oauth2'
    | 'service_account'
    | 'sigv4';
  /** True: somebody else sees to the credential; nothing is projected into the overlay. */
  readonly manual?: boolean;
  readonly secretRef?: SecretRef;
}

/** How a provider's health is probed. */
export interface HealthCheck {
  /** Default: the provider's `endpoint`. */
  readonly endpoint?: string;
  /** Default `/health`. */
  readonly path?: string;
  /** Default `10s`. */
  readonly interval?: string;
  /** Default `2s`. */
  readonly timeout?: string;
  readonly tls?: Opaque;
}

/** A model a provider serves. */
export interface ProviderModel {
  readonly name: string;
  /** Default empty. Carried, not used. */
  readonly capabilities: readonly string[];
  readonly contextWindow?: number;
}

/** `spec` of an InferenceProvider. */
export interface InferenceProviderSpec {
  readonly gridNetworkRef: string;
  /** URL with scheme http or https. */
  readonly endpoint: string;
  readonly models: readonly ProviderModel[];
  /** Which consumer sites may use it; absent or empty: every site. */
  readonly accessPolicy?: { readonly siteSelector?: SiteSelector };
  /** Which sites host it; absent or empty: every site of the network. */
  readonly siteSelector?: SiteSelector;
  /** Replaces the provider's name as cluster. */
  readonly routingClusterRef?: string;
  /** 1 to 1000, default 1; the `traffic_weight` under a weighted selection policy. */
  readonly capacityWeight: number;
  /** `drain`: bound sessions only. */
  readonly trafficPolicy?: { readonly drain?: boolean };
  readonly healthCheck?: HealthCheck;
  readonly auth?: ProviderAuth;
  readonly backendKind?: string;
  readonly providerKind?: string;
  readonly providerGateway?: string;
  readonly cost?: Opaque;
  readonly metricsConfig?: Opaque;
  readonly modelDiscovery?: Opaque;
  readonly tls?: Opaque;
}

interface GridObject<Kind extends string, Spec> {
  readonly kind: Kind;
  readonly metadata: ObjectMeta;
  readonly spec: Spec;
  readonly source: ManifestSource;
}

/** A network of sites and providers, with the gateways that consume it. */
export type GridNetwork = GridObject<'GridNetwork', GridNetworkSpec>;

/** A place where gateways and providers run. */
export type GridSite = GridObject<'GridSite', GridSiteSpec>;

/** Something that serves models. */
export type InferenceProvider = GridObject<'InferenceProvider', InferenceProviderSpec>;

/** Every valid object of a set of manifests, each list in name order. */
export interface GridInventory {
  readonly networks: readonly GridNetwork[];
  readonly sites: readonly GridSite[];
  readonly providers: readonly InferenceProvider[];
}
