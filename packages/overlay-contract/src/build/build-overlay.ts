import { overlayDigest } from '../canonical/digest.ts';
import { OverlayContractError } from '../errors.ts';
import type { ParseOverlayOptions } from '../limits.ts';
import type {
  AdmissionState,
  CandidateKind,
  CredentialReference,
  OverlayProvenance,
  OverlayScope,
  SelectionPolicy,
} from '../model.ts';
import { SCHEMA_VERSION } from '../parse/detect.ts';
import { PRAXIS_MODES } from '../parse/meaning/selection-policy.ts';
import { parseOverlay } from '../parse/parse-overlay.ts';

/** A candidate in wire names. Optional members are omitted when undefined; unknown members are kept and hashed. */
export interface WireCandidate {
  readonly kind: CandidateKind;
  readonly name: string;
  readonly site: string;
  readonly cluster: string;
  readonly fresh?: boolean | undefined;
  readonly stable_id?: string | undefined;
  readonly rank?: number | undefined;
  readonly score?: number | undefined;
  readonly score_breakdown?: Readonly<Record<string, unknown>> | undefined;
  readonly admission_state?: AdmissionState | undefined;
  readonly selection_tier?: string | undefined;
  readonly selection_group?: number | undefined;
  readonly traffic_weight?: number | undefined;
  readonly credential?: CredentialReference | undefined;
  readonly [extra: string]: unknown;
}

/** What a producer knows about an overlay. */
export interface BuildOverlayInput {
  /** Whom it is for. */
  readonly scope: OverlayScope;
  /** Who made it; `sourceName` must equal `scope.network`. */
  readonly provenance: OverlayProvenance;
  /** Candidates in overlay order, at least one. */
  readonly candidates: readonly WireCandidate[];
  /** Omitted: none is written, which readers take as `deterministic`. */
  readonly selectionPolicy?: SelectionPolicy | undefined;
  /**
   * Spelling of the policy and of a closed admission. `switchyard` (default): the string `round_robin`, `excluded`.
   * `praxis`: the object `{"mode": "roundRobin"}`, `none`.
   */
  readonly dialect?: 'switchyard' | 'praxis' | undefined;
  /** Time of generation for the payload; outside the digest. Omitted: none is written. */
  readonly generatedAt?: string | undefined;
  /** Limits of the readers, when they are configured away from 2 MiB and 1024 candidates. */
  readonly limits?: Pick<ParseOverlayOptions, 'maxBytes' | 'maxCandidates' | 'maxDepth'> | undefined;
}

/** A finished overlay in both forms. */
export interface BuiltOverlay {
  /** Content address, 64 hex digits. */
  readonly revision: string;
  /** The envelope as a plain object. */
  readonly envelope: Readonly<Record<string, unknown>>;
  /** The envelope as indented JSON with a final newline: the content of `routing-overlay.json`. */
  readonly text: string;
  /** The bare overlay, likewise: the content of `routing-config.json`. */
  readonly legacyText: string;
}

/** Known members first, in the order a reader looks for them. */
const CANDIDATE_ORDER: readonly string[] = [
  'kind',
  'name',
  'site',
  'cluster',
  'stable_id',
  'fresh',
  'rank',
  'score',
  'score_breakdown',
  'admission_state',
  'selection_tier',
  'selection_group',
  'traffic_weight',
  'credential',
];

/**
 * Renders an overlay whose digest is right by construction, and reads it back with {@link parseOverlay} before
 * handing it out: what a producer gets from here, every reader accepts.
 * @throws {@link OverlayContractError} with all issues when the input breaks a rule of the contract.
 * @throws RangeError when a limit is not a positive integer.
 */
export function buildOverlay(input: BuildOverlayInput): BuiltOverlay {
  const overlay = payloadOf(input);
  const revision = overlayDigest(overlay);
  const envelope = {
    schema_version: SCHEMA_VERSION,
    revision: { kind: 'content_addressed', algorithm: 'sha256', value: revision },
    content_digest: { algorithm: 'sha256', value: revision },
    scope: {
      network: input.scope.network,
      gateway: input.scope.gateway,
      namespace: input.scope.namespace,
      local_site: input.scope.localSite,
    },
    provenance: {
      producer: input.provenance.producer,
      producer_version: input.provenance.producerVersion,
      source_name: input.provenance.sourceName,
      source_uid: input.provenance.sourceUid,
      source_generation: input.provenance.sourceGeneration,
      rendered_at: input.provenance.renderedAt,
    },
    overlay,
  };
  const text = `${JSON.stringify(envelope, null, 2)}\n`;
  const check = parseOverlay(Buffer.from(text, 'utf8'), input.limits);
  if (!check.ok) {
    const [first, ...rest] = check.issues;
    if (first !== undefined) throw new OverlayContractError([first, ...rest]);
  }
  const legacyText = `${JSON.stringify(overlay, null, 2)}\n`;
  // Read back rather than passed on: the caller's own objects stay the caller's.
  return Object.freeze({ revision, envelope: asObject(text), text, legacyText });
}

function asObject(text: string): Readonly<Record<string, unknown>> {
  const envelope: unknown = JSON.parse(text);
  return Object.freeze(envelope as Record<string, unknown>);
}

function payloadOf(input: BuildOverlayInput): Record<string, unknown> {
  const praxis = input.dialect === 'praxis';
  const policy = input.selectionPolicy;
  return {
    network: input.scope.network,
    local_site: input.scope.localSite,
    ...(policy === undefined
      ? {}
      : { selection_policy: praxis ? { mode: PRAXIS_MODES[policy] ?? policy } : policy }),
    candidates: input.candidates.map((candidate) => wireCandidate(candidate, praxis)),
    ...(input.generatedAt === undefined ? {} : { generated_at: input.generatedAt }),
  };
}

function wireCandidate(candidate: WireCandidate, praxis: boolean): Record<string, unknown> {
  const extras = Object.keys(candidate).filter((key) => !CANDIDATE_ORDER.includes(key));
  const entries = [...CANDIDATE_ORDER, ...extras]
    .map((key): [string, unknown] => [key, candidate[key]])
    .filter(([, value]) => value !== undefined)
    .map(([key, value]): [string, unknown] =>
      praxis && key === 'admission_state' && value === 'excluded' ? [key, 'none'] : [key, value],
    );
  // fromEntries defines members, so one named __proto__ stays data.
  return Object.fromEntries(entries);
}
