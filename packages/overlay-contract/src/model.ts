/** What a candidate offers: a model behind an inference API, or a tool behind an MCP server. */
export type CandidateKind = 'inference_model' | 'mcp_tool';

/**
 * Which sessions a candidate may take. `new_and_existing`: all. `existing_only`: those already bound to it.
 * `excluded`: none (the wire also says `none`, which is read as this).
 */
export type AdmissionState = 'new_and_existing' | 'existing_only' | 'excluded';

/** How one member of the active selection group is chosen. */
export type SelectionPolicy =
  | 'deterministic'
  | 'round_robin'
  | 'random'
  | 'weighted_random'
  | 'weighted_round_robin';

/** Every {@link CandidateKind}, in documentation order. */
export const CANDIDATE_KINDS: readonly CandidateKind[] = Object.freeze([
  'inference_model',
  'mcp_tool',
] as const);

/** Every {@link AdmissionState}, from most to least open. */
export const ADMISSION_STATES: readonly AdmissionState[] = Object.freeze([
  'new_and_existing',
  'existing_only',
  'excluded',
] as const);

/** Every {@link SelectionPolicy}; the first is in force when an overlay names none. */
export const SELECTION_POLICIES: readonly SelectionPolicy[] = Object.freeze([
  'deterministic',
  'round_robin',
  'random',
  'weighted_random',
  'weighted_round_robin',
] as const);

/** Where a secret lies. An overlay never carries the secret itself. */
export interface CredentialReference {
  /** How the secret is presented to the provider. */
  readonly strategy: 'bearer_token';
  /** Name, namespace and key of the secret: 1 to 256 bytes each, not blank. */
  readonly secretRef: { readonly name: string; readonly namespace: string; readonly key: string };
}

/** One accepted candidate, normalised: camelCase names, defaults applied. */
export interface Candidate {
  /** What it offers. Together with `name` this is its capability. */
  readonly kind: CandidateKind;
  /** Model or tool name; compared byte by byte, never normalised. */
  readonly name: string;
  /** Site the provider stands in. */
  readonly site: string;
  /** Cluster a gateway looks up in its own registry. Whether it exists is not checked here. */
  readonly cluster: string;
  /** Whether the producer's signals about it were fresh. Default true. Carried, never used to select. */
  readonly fresh: boolean;
  /** Identity in affinity, metrics and the provider hop: the wire's `stable_id`, else {@link defaultStableId}. */
  readonly stableId: string;
  /** Position the producer gave it. Informational. */
  readonly rank?: number;
  /** Preference score. Informational: scores never become traffic shares. */
  readonly score?: number;
  /** Which sessions it may take. Default `new_and_existing`. */
  readonly admissionState: AdmissionState;
  /** How far it is, in the producer's words, for example `same_zone`. */
  readonly selectionTier?: string;
  /** Number of its group inside its capability, from 0. Absent: the capability is served in overlay order. */
  readonly selectionGroup?: number;
  /** Share of new traffic, 1 to 1000. Present exactly when the policy is weighted. */
  readonly trafficWeight?: number;
  /** Reference to the secret for this candidate. */
  readonly credential?: CredentialReference;
  /** The very object that was parsed: wire names, unknown additive members kept. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Whom an overlay is for. */
export interface OverlayScope {
  /** Grid network. */
  readonly network: string;
  /** Gateway that may use the overlay. */
  readonly gateway: string;
  /** Namespace of that gateway. */
  readonly namespace: string;
  /** Site from whose point of view the candidates were ordered. */
  readonly localSite: string;
}

/** Who made an overlay, from what, and when. Outside the digest. */
export interface OverlayProvenance {
  /** Name of the producing program. */
  readonly producer: string;
  /** Its version. */
  readonly producerVersion: string;
  /** Name of the network resource it was rendered from; equals `scope.network`. */
  readonly sourceName: string;
  /** Unique id of that resource. */
  readonly sourceUid: string;
  /** Generation of that resource, 1 or more. A lower one than before is a rollback: the reader's decision. */
  readonly sourceGeneration: number;
  /** RFC 3339 time of rendering. */
  readonly renderedAt: string;
}

/** An accepted overlay. */
export interface Overlay {
  /** `envelope`: scoped, with provenance and a checked digest. `legacy`: the bare overlay object. */
  readonly format: 'envelope' | 'legacy';
  /** Content address: 64 lower-case hex digits. Computed for the legacy form. */
  readonly revision: string;
  /** Grid network; always present in an envelope. */
  readonly network?: string;
  /** Site from whose point of view the candidates were ordered. */
  readonly localSite: string;
  /** Policy in force; `deterministic` when the document names none. */
  readonly selectionPolicy: SelectionPolicy;
  /** Candidates in overlay order, which matters. */
  readonly candidates: readonly Candidate[];
  /** Present in an envelope. */
  readonly scope?: OverlayScope;
  /** Present in an envelope. */
  readonly provenance?: OverlayProvenance;
  /** Time the payload says it was generated; not validated, not hashed. */
  readonly generatedAt?: string;
}
