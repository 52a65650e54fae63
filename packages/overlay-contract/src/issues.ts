const codes = [
  'malformed_json',
  'invalid_utf8',
  'too_large',
  'too_deep',
  'duplicate_key',
  'not_canonicalizable',
  'malformed_structure',
  'invalid_field',
  'missing_schema_version',
  'unsupported_schema_version',
  'revision_digest_mismatch',
  'digest_mismatch',
  'scope_mismatch',
  'scope_required',
  'invalid_selection_policy',
  'policy_without_groups',
  'group_conflict',
  'weight_conflict',
  'duplicate_candidate',
  'duplicate_stable_id',
  'too_many_candidates',
] as const;

/**
 * Every reason a document can be refused for, a closed list: safe as a metric label.
 * README.md explains each and says what to do about it.
 */
export const OVERLAY_ISSUE_CODES: typeof codes = Object.freeze(codes);

/** One of {@link OVERLAY_ISSUE_CODES}. */
export type OverlayIssueCode = (typeof OVERLAY_ISSUE_CODES)[number];

/** One reason a document was refused. */
export interface OverlayIssue {
  /** The reason, from the closed list. */
  readonly code: OverlayIssueCode;
  /** Where, for example `overlay.candidates[2].name`; empty means the document as a whole. */
  readonly path: string;
  /** What was found, what was expected, what to do. Never quotes credentials. */
  readonly message: string;
}

const PLAIN_NAME = /^[A-Za-z_][\w-]*$/;

/** A key or index path as text: `overlay.candidates[2].name`; unusual keys are quoted and cut. */
export function pathText(segments: readonly PropertyKey[]): string {
  let text = '';
  for (const segment of segments) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else {
      const key = String(segment);
      if (PLAIN_NAME.test(key) && key.length <= QUOTED_LENGTH_MAX) text += text === '' ? key : `.${key}`;
      else text += `[${quoted(key)}]`;
    }
  }
  return text;
}

/** Long enough to recognise a name, short enough to keep a message on one screen. */
const QUOTED_LENGTH_MAX = 64;

/** A text from the document as it may stand in a message: JSON-escaped, at most 64 characters of it. */
export function quoted(text: string): string {
  return text.length <= QUOTED_LENGTH_MAX
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, QUOTED_LENGTH_MAX))} (cut)`;
}
