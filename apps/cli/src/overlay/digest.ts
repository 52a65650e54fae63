import {
  CANDIDATES_MAX,
  OverlayContractError,
  type OverlayIssueCode,
  overlayDigest,
  parseOverlay,
} from '@switchyard/overlay-contract';
import { hintFor } from './hints.ts';
import { type ExplainedIssue, isObject, parseJson } from './load-overlay.ts';
import { DEPTH_MAX, locateIssues } from './locate.ts';

/** What the content hashes to, and what the document says it does. */
export interface DigestReport {
  readonly format: 'envelope' | 'legacy';
  /** 64 lower-case hex digits. */
  readonly computed: string;
  /** Null where the document claims nothing, as legacy documents do; not checked to be a digest at all. */
  readonly claimed: { readonly revision: string | null; readonly contentDigest: string | null };
  /** Whether both claims are the computed digest; null when nothing is claimed. */
  readonly agrees: boolean | null;
}

/** A report, or why the content can't be hashed. */
export type DigestResult =
  | { readonly ok: true; readonly report: DigestReport }
  | { readonly ok: false; readonly issues: readonly ExplainedIssue[] };

/** Past these the text has no one content; every other issue leaves something to hash. */
const NO_CONTENT: readonly OverlayIssueCode[] = [
  'malformed_json',
  'invalid_utf8',
  'too_large',
  'too_deep',
  'duplicate_key',
];

/** The contract's rule: any of these at the top makes a document an envelope. */
const ENVELOPE_MEMBERS = ['schema_version', 'revision', 'content_digest', 'scope', 'provenance'];

/** Hashes a document whether or not it is valid: when the digest is wrong, the right one is what one wants to know. */
export function digestReport(bytes: Uint8Array): DigestResult {
  const maxCandidates = Math.max(CANDIDATES_MAX, bytes.length);
  const judged = parseOverlay(bytes, {
    maxBytes: Math.max(1, bytes.length),
    maxCandidates,
    maxDepth: DEPTH_MAX,
  });
  const issues = judged.ok ? [] : judged.issues;
  const noContent = issues.filter(({ code }) => NO_CONTENT.includes(code));
  if (noContent.length > 0) return { ok: false, issues: explained(noContent) };

  const root = parseJson(bytes);
  const isEnvelope = isObject(root) && ENVELOPE_MEMBERS.some((member) => Object.hasOwn(root, member));
  const payload = isEnvelope ? root['overlay'] : root;
  if (!isObject(root) || !isObject(payload)) return { ok: false, issues: explained(issues) };
  try {
    const computed = overlayDigest(payload);
    const claimed = { revision: claim(root, 'revision'), contentDigest: claim(root, 'content_digest') };
    const claims = Object.values(claimed);
    const agrees = isEnvelope ? claims.every((value) => value === computed) : null;
    return { ok: true, report: { format: isEnvelope ? 'envelope' : 'legacy', computed, claimed, agrees } };
  } catch (error) {
    if (!(error instanceof OverlayContractError)) throw error;
    // The contract has reported the same values, with paths that count from the document.
    return { ok: false, issues: explained(issues.filter(({ code }) => code === 'not_canonicalizable')) };
  }

  function explained(found: Parameters<typeof locateIssues>[1]): ExplainedIssue[] {
    return locateIssues(bytes, found).map((issue) => ({ ...issue, hint: hintFor(issue) }));
  }
}

function claim(root: Readonly<Record<string, unknown>>, member: string): string | null {
  const part = root[member];
  const value = isObject(part) ? part['value'] : undefined;
  return typeof value === 'string' ? value : null;
}
