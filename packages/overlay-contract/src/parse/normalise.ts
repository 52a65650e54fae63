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
  /** Effective stable ids, one per candidate. */
  readonly stableIds: readonly string[];
}

/** Wire names to ours, defaults applied, frozen one level deep. */
export function normaliseOverlay({
  payload,
  envelope,
  revision,
  policy,
  stableIds,
}: AcceptedOverlay): Overlay {
  return Object.freeze({
    format: envelope === undefined ? 'legacy' : 'envelope',
    revision,
    ...(payload.network === undefined ? {} : { network: payload.network }),
    localSite: payload.local_site,
    selectionPolicy: policy,
    candidates: Object.freeze(
      payload.candidates.map((wire, index) => normaliseCandidate(wire, stableIds[index] ?? '')),
    ),
    ...(envelope === undefined
      ? {}
      : { scope: normaliseScope(envelope), provenance: normaliseProvenance(envelope) }),
    ...(payload.generated_at === undefined ? {} : { generatedAt: payload.generated_at }),
  });
}

type Draft<T> = { -readonly [Member in keyof T]: T[Member] };

// Member by member: spreading a conditional object for each optional one costs more than the rest of this stage.
function normaliseCandidate(wire: WireCandidateParsed, stableId: string): Candidate {
  const { kind, name, site, cluster, fresh = true } = wire;
  const raw = Object.freeze(wire as unknown as Record<string, unknown>);
  const admissionState = readAdmissionState(wire.admission_state);
  const candidate: Draft<Candidate> = { kind, name, site, cluster, fresh, stableId, admissionState, raw };
  if (wire.rank !== undefined) candidate.rank = wire.rank;
  if (wire.score !== undefined) candidate.score = wire.score;
  if (wire.selection_tier !== undefined) candidate.selectionTier = wire.selection_tier;
  if (wire.selection_group !== undefined) candidate.selectionGroup = wire.selection_group;
  if (wire.traffic_weight !== undefined) candidate.trafficWeight = wire.traffic_weight;
  if (wire.credential !== undefined) candidate.credential = wire.credential;
  return Object.freeze(candidate);
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
