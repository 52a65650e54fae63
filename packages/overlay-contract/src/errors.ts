import { type OverlayIssue, type OverlayIssueCode, quoted } from './issues.ts';

/** Thrown by {@link canonicalJson}, {@link overlayDigest} and {@link buildOverlay}; {@link parseOverlay} returns issues instead. */
export class OverlayContractError extends Error {
  override readonly name = 'OverlayContractError';
  /** Code of the first issue. */
  readonly code: OverlayIssueCode;
  /** All issues found, at least one. */
  readonly issues: readonly OverlayIssue[];

  constructor(issues: readonly [OverlayIssue, ...OverlayIssue[]], options?: ErrorOptions) {
    super(issues.map(issueLine).join('\n'), options);
    this.code = issues[0].code;
    this.issues = Object.freeze([...issues]);
  }
}

function issueLine(issue: OverlayIssue): string {
  return `${issue.code}${issue.path === '' ? '' : ` at ${issue.path}`}: ${issue.message}`;
}

/** A value's type and, when it is short and harmless, the value: for "found …" in messages. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (typeof value === 'string') return value === '' ? 'an empty string' : `the string ${quoted(value)}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${value}`;
  if (value === undefined) return 'undefined';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
