import type { OverlayIssue } from '@switchyard/overlay-contract';

/** One thing wrong with the options. */
export interface OptionIssue {
  /** Where, as in `reload.debounceMs` or `candidates[2].cluster`. */
  readonly path: string;
  /** What was found and what was expected. */
  readonly message: string;
}

/** The options given to `createRouter` are wrong. Everything that is wrong is listed. */
export class RouterOptionsError extends Error {
  override readonly name: string = 'RouterOptionsError';
  /** Always `invalid_options`. */
  readonly code: 'invalid_options' = 'invalid_options' as const;
  readonly issues: readonly OptionIssue[];

  constructor(issues: readonly OptionIssue[]) {
    super(
      `the router options are wrong:\n${issues.map(({ path, message }) => `  ${path}: ${message}`).join('\n')}`,
    );
    this.issues = issues;
  }
}

/** Why a router did not start: the file could not be read, or what it holds is not a valid overlay. */
export type RouterStartErrorCode = 'overlay_unreadable' | 'overlay_rejected';

/** An overlay router refuses to start without one good overlay. */
export class RouterStartError extends Error {
  override readonly name: string = 'RouterStartError';
  readonly code: RouterStartErrorCode;
  /** The overlay file, as an absolute path. */
  readonly file: string;
  /** What the contract found wrong; empty when the file could not be read. */
  readonly issues: readonly OverlayIssue[];

  constructor(
    code: RouterStartErrorCode,
    detail: { file: string; message: string; issues?: readonly OverlayIssue[]; cause?: unknown },
  ) {
    super(detail.message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.file = detail.file;
    this.issues = detail.issues ?? [];
  }
}
