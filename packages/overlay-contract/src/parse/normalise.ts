import type {
  AdmissionState,
  Candidate,
  Overlay,
  OverlayProvenance,
  OverlayScope,
  SelectionPolicy,
} from '../model.ts';
import { defaultStableId } from '../stable-id.ts';
import type { WireCandidateParsed, WireEnvelopeParsed, WireOverlayParsed } from './wire.ts';

/** The wire's admission state in our words: absent is open, Praxis' `none` is `excluded`. */
export function readAdmissionState(wire: WireCandidateParsed['admission_state']): AdmissionState {
  if (wire === undefined) return 'new_and_existing';
  return wire === 'none' ? 'excluded' : wire;
}

/** The id a candidate is known by: its own, else the default. */
export function effectiveStableId(wire: WireCandidateParsed): string {
  return wire.stable_id ?? defaultStableId(wire);
}

/** What the stages before have established about an accepted document. */
export interface AcceptedOverlay {
  readonly payload: WireOverlayParsed;
  readonly envelope: WireEnvelopeParsed | undefined;
  readonly revision: string;
  readonly policy: SelectionPolicy;
}

/** Wire names to ours, defaults applied, frozen one level deep. */
export function normaliseOverlay({ payload, envelope, revision, policy }: AcceptedOverlay): Overlay {
  return Object.freeze({
    format: envelope === undefined ? 'legacy' : 'envelope',
    revision,
    ...(payload.network === undefined ? {} : { network: payload.network }),
    localSite: payload.local_site,
    selectionPolicy: policy,
    candidates: Object.freeze(payload.candidates.map(normaliseCandidate)),
    ...(envelope === undefined
      ? {}
      : { scope: normaliseScope(envelope), provenance: normaliseProvenance(envelope) }),
    ...(payload.generated_at === undefined ? {} : { generatedAt: payload.generated_at }),
  });
}

function normaliseCandidate(wire: WireCandidateParsed): Candidate {
  return Object.freeze({
    kind: wire.kind,
    name: wire.name,
    site: wire.site,
    cluster: wire.cluster,
    fresh: wire.fresh ?? true,
    stableId: effectiveStableId(wire),
    ...(wire.rank === undefined ? {} : { rank: wire.rank }),
    ...(wire.score === undefined ? {} : { score: wire.score }),
    admissionState: readAdmissionState(wire.admission_state),
    ...(wire.selection_tier === undefined ? {} : { selectionTier: wire.selection_tier }),
    ...(wire.selection_group === undefined ? {} : { selectionGroup: wire.selection_group }),
    ...(wire.traffic_weight === undefined ? {} : { trafficWeight: wire.traffic_weight }),
    ...(wire.credential === undefined ? {} : { credential: wire.credential }),
    raw: Object.freeze(wire as unknown as Record<string, unknown>),
  });
}

function normaliseScope({ scope }: WireEnvelopeParsed): OverlayScope {
  return Object.freeze({
    network: scope.network,
    gateway: scope.gateway,
    namespace: scope.namespace,
    localSite: scope.local_site,
  });
}

function normaliseProvenance({ provenance }: WireEnvelopeParsed): OverlayProvenance {
  return Object.freeze({
    producer: provenance.producer,
    producerVersion: provenance.producer_version,
    sourceName: provenance.source_name,
    sourceUid: provenance.source_uid,
    sourceGeneration: provenance.source_generation,
    renderedAt: provenance.rendered_at,
  });
}
