/** One thing wrong with a config file, and where. */
export interface ConfigIssue {
  /** The file as it was named by the caller. */
  readonly file: string;
  /** 1-based; 1 when the whole file is meant. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /** `clusters[2].endpoints[0].url`; empty for the document itself. */
  readonly path: string;
  /** What was found and what was expected. */
  readonly message: string;
  /** The nearest known key, value or name, when there is one. */
  readonly suggestion?: string;
}

/** A config file that cannot be used. The message names every issue, one per line, and is ready for stderr. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** In the order of their place in the file. Never empty. */
  readonly issues: readonly ConfigIssue[];
  /** The file as it was named by the caller. */
  readonly file: string;

  constructor(file: string, issues: readonly ConfigIssue[], options?: ErrorOptions) {
    const sorted = [...issues].sort((a, b) => a.line - b.line || a.column - b.column);
    const count = sorted.length === 1 ? '1 problem' : `${sorted.length} problems`;
    super([`${file}: ${count}`, ...sorted.map((issue) => `  ${formatIssue(issue)}`)].join('\n'), options);
    this.file = file;
    this.issues = sorted;
  }
}

/** `gateway.yaml:3:9: listen.prt: unknown key, did you mean "port"?` */
export function formatIssue(issue: ConfigIssue): string {
  const path = issue.path === '' ? '' : `${issue.path}: `;
  const hint = issue.suggestion === undefined ? '' : `, did you mean "${issue.suggestion}"?`;
  return `${issue.file}:${issue.line}:${issue.column}: ${path}${issue.message}${hint}`;
}

/** `['clusters', 2, 'name']` -> `clusters[2].name`. Keys that are not plain words are quoted: `labels["a.b"]`. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (/^[\w-]+$/.test(String(segment))) text += `${text === '' ? '' : '.'}${String(segment)}`;
    else text += `[${JSON.stringify(String(segment))}]`;
  }
  return text;
}
