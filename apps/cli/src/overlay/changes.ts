import type { Candidate, CandidateKind } from '@switchyard/overlay-contract';

/**
 * What a change does. `routing`: who may serve, or how it is reached. `scope`: whom the document is for. `content`:
 * carried to gateways, but no decision depends on it. `spelling`: other words for the same, so only the revision moves.
 * `metadata`: outside the revision.
 */
export type ChangeEffect = 'routing' | 'scope' | 'content' | 'spelling' | 'metadata';

/** What changed. */
export type ChangeType =
  | 'policy'
  | 'network'
  | 'local_site'
  | 'member_added'
  | 'member_removed'
  | 'group'
  | 'admission'
  | 'weight'
  | 'stable_id'
  | 'credential'
  | 'member_field'
  | 'additive_field'
  | 'order'
  | 'document_order'
  | 'format'
  | 'scope'
  | 'metadata';

/** What serves: a model or tool. */
export interface CapabilityName {
  readonly kind: CandidateKind;
  readonly name: string;
}

/** Who serves. Site and cluster identify a member within its capability; the stable id may itself change. */
export interface MemberName {
  readonly site: string;
  readonly cluster: string;
  readonly stableId: string;
}

/** One difference between two overlays. */
export interface OverlayChange {
  readonly type: ChangeType;
  readonly effect: ChangeEffect;
  /** Null for what concerns the whole document. */
  readonly capability: CapabilityName | null;
  /** Null for what concerns a whole capability. */
  readonly member: MemberName | null;
  /** Wire name of the member that differs, such as `rank` or `provenance.rendered_at`; null where the type says it. */
  readonly field: string | null;
  /** Null where there was nothing. */
  readonly before: unknown;
  /** Null where there is nothing any more. */
  readonly after: unknown;
}

/** Effects that make two overlays mean different things. */
const MEANINGFUL: readonly ChangeEffect[] = ['routing', 'scope', 'content'];

/** Whether the overlays with these differences mean the same: other times, provenance or spelling don't count. */
export function sameMeaning(changes: readonly OverlayChange[]): boolean {
  return !changes.some(({ effect }) => MEANINGFUL.includes(effect));
}

/** The capability of a candidate. */
export function capabilityOf({ kind, name }: Candidate): CapabilityName {
  return { kind, name };
}

/** The member that a candidate is. */
export function memberOf({ site, cluster, stableId }: Candidate): MemberName {
  return { site, cluster, stableId };
}

/** A text that two candidates share exactly when they are the same member of the same capability. */
export function identityOf({ kind, name, site, cluster }: Candidate): string {
  return JSON.stringify([kind, name, site, cluster]);
}
