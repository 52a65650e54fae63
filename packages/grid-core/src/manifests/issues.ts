import { compareUtf8 } from '../text/compare-utf8.ts';

/** The closed list of codes of {@link ManifestIssue}. */
export const MANIFEST_ISSUE_CODES = [
  'yaml_syntax',
  'not_a_manifest',
  'unsupported_api_version',
  'unsupported_kind',
  'missing_field',
  'unknown_field',
  'invalid_field',
  'duplicate_object',
  'duplicate_gateway',
  'unknown_network',
  'placement_conflict',
  'not_available',
] as const;

/** One of {@link MANIFEST_ISSUE_CODES}. */
export type ManifestIssueCode = (typeof MANIFEST_ISSUE_CODES)[number];

/** A gateway reference of a GridNetwork that is not valid. */
export interface IssueGateway {
  readonly name: string;
  readonly namespace: string;
}

/** Something wrong with a manifest. */
export interface ManifestIssue {
  readonly code: ManifestIssueCode;
  /** As given in {@link ManifestFile.path}. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** Such as `spec.models[0].name`; empty for the whole document. */
  readonly path: string;
  readonly message: string;
  /**
   * The network the manifest belongs to, as far as that can be read from it. Its gateways are not rendered until the
   * issue is gone. Absent: nobody is held back.
   */
  readonly network?: string;
  /** With an issue of a GridNetwork: its gateways, as far as they can be read. */
  readonly gateways?: readonly IssueGateway[];
}

/** `file:line: path: message`, as people expect it from a compiler. */
export function formatIssue(issue: ManifestIssue): string {
  const place = issue.line === undefined ? issue.file : `${issue.file}:${issue.line}`;
  return `${place}: ${issue.path === '' ? '' : `${issue.path}: `}${issue.message}`;
}

/** By file, line, path, code and message: the same list for every order of the input. */
export function sortIssues(issues: readonly ManifestIssue[]): ManifestIssue[] {
  return [...issues].sort(
    (left, right) =>
      compareUtf8(left.file, right.file) ||
      (left.line ?? 0) - (right.line ?? 0) ||
      compareUtf8(left.path, right.path) ||
      compareUtf8(left.code, right.code) ||
      compareUtf8(left.message, right.message) ||
      compareUtf8(left.network ?? '', right.network ?? ''),
  );
}
