/** A candidate as it stands in the document, after its structure was checked. */
export interface WireCandidateParsed {
  readonly kind: 'inference_model' | 'mcp_tool';
  readonly name: string;
  readonly site: string;
  readonly cluster: string;
  readonly fresh?: boolean;
  readonly stable_id?: string;
  readonly rank?: number;
  readonly score?: number;
  readonly admission_state?: 'new_and_existing' | 'existing_only' | 'excluded' | 'none';
  readonly selection_tier?: string;
  readonly selection_group?: number;
  readonly traffic_weight?: number;
  readonly credential?: {
    readonly strategy: 'bearer_token';
    readonly secretRef: { readonly name: string; readonly namespace: string; readonly key: string };
  };
}

/** The payload of either form, after its structure was checked. `selection_policy` is judged on its own. */
export interface WireOverlayParsed {
  readonly network?: string;
  readonly local_site: string;
  readonly candidates: readonly WireCandidateParsed[];
  readonly selection_policy?: unknown;
  readonly generated_at?: string;
}

/** An envelope, after its structure was checked. */
export interface WireEnvelopeParsed {
  readonly schema_version: string;
  readonly revision: { readonly value: string };
  readonly content_digest: { readonly value: string };
  readonly scope: {
    readonly network: string;
    readonly gateway: string;
    readonly namespace: string;
    readonly local_site: string;
  };
  readonly provenance: {
    readonly producer: string;
    readonly producer_version: string;
    readonly source_name: string;
    readonly source_uid: string;
    readonly source_generation: number;
    readonly rendered_at: string;
  };
  readonly overlay: WireOverlayParsed & { readonly network: string };
}
