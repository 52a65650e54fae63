/** Closed list of what can be wrong with the options of a cluster. */
export type ClusterOptionsIssueCode =
  | 'invalid_name'
  | 'invalid_policy'
  | 'invalid_start_offset'
  | 'invalid_random'
  | 'invalid_endpoints'
  | 'invalid_id'
  | 'invalid_address'
  | 'invalid_weight'
  | 'duplicate_id'
  | 'total_weight_too_large';

/** One thing wrong, and where. */
export interface ClusterOptionsIssue {
  readonly code: ClusterOptionsIssueCode;
  /** Like `endpoints[2].weight`. */
  readonly path: string;
  /** What was found, what is expected, what to do. */
  readonly message: string;
}

/** Options were refused; nothing was changed. Carries all issues, not the first only. */
export class ClusterOptionsError extends Error {
  override readonly name = 'ClusterOptionsError';
  /** Code of the first issue. */
  readonly code: ClusterOptionsIssueCode;
  readonly issues: readonly ClusterOptionsIssue[];

  constructor(first: ClusterOptionsIssue, issues: readonly ClusterOptionsIssue[]) {
    super(issues.map((issue) => `${issue.path}: ${issue.message}`).join('\n'));
    this.code = first.code;
    this.issues = issues;
  }
}

/**
 * @throws {@link ClusterOptionsError} when there are issues.
 */
export function throwIssues(issues: readonly ClusterOptionsIssue[]): void {
  const [first] = issues;
  if (first !== undefined) throw new ClusterOptionsError(first, issues);
}
