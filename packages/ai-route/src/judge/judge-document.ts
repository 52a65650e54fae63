import { createHash } from 'node:crypto';
import {
  type Overlay,
  type OverlayIssue,
  type ParseOverlayOptions,
  parseOverlay,
} from '@switchyard/overlay-contract';
import { type IndexPlan, planIndex } from '../snapshot/index-plan.ts';
import type { RoutingOverlay } from '../snapshot/routing-overlay.ts';

/** A document to judge. */
export interface JudgeInput {
  readonly bytes: Uint8Array;
  readonly parse: ParseOverlayOptions;
  /** Prints of documents that need no judgement, because it is known. */
  readonly seen: readonly string[];
}

/** A document that may be served, and the order of its members. */
export interface ValidDocument<Content = RoutingOverlay> {
  readonly kind: 'valid';
  /** SHA-256 of the bytes, in hex. */
  readonly print: string;
  readonly overlay: Content;
  readonly plan: IndexPlan;
}

/** A document that may not be served. */
export interface InvalidDocument {
  readonly kind: 'invalid';
  readonly print: string;
  readonly issues: readonly OverlayIssue[];
  /** The revision it says it has, so that an operator can tell which publication failed. */
  readonly claimedRevision: string | null;
}

/** What a document is worth. */
export type Judgement<Content = RoutingOverlay> =
  | { readonly kind: 'seen'; readonly print: string }
  | ValidDocument<Content>
  | InvalidDocument;

/** Digests, validates and orders a document. The work of one thread, whichever. */
export function judgeDocument({ bytes, parse, seen }: JudgeInput): Judgement<Overlay> {
  const print = createHash('sha256').update(bytes).digest('hex');
  if (seen.includes(print)) return { kind: 'seen', print };
  const parsed = parseOverlay(bytes, parse);
  if (!parsed.ok)
    return { kind: 'invalid', print, issues: parsed.issues, claimedRevision: claimedRevision(bytes) };
  return { kind: 'valid', print, overlay: parsed.overlay, plan: planIndex(parsed.overlay) };
}

function claimedRevision(bytes: Uint8Array): string | null {
  try {
    const document = JSON.parse(new TextDecoder().decode(bytes)) as { revision?: { value?: unknown } } | null;
    const value = document?.revision?.value;
    return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : null;
  } catch {
    return null;
  }
}
