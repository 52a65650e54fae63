/** Closed list of the codes a {@link TraceViewError} can carry. */
export const TRACE_VIEW_ERROR_CODES = [
  'invalid_options',
  'not_loopback',
  'address_in_use',
  'listen_failed',
  'page_unreadable',
  'invalid_document',
] as const;

/** One of {@link TRACE_VIEW_ERROR_CODES}. */
export type TraceViewErrorCode = (typeof TRACE_VIEW_ERROR_CODES)[number];

/** What this package throws at its caller. The message says what was found, what was expected and what to do. */
export class TraceViewError extends Error {
  override readonly name = 'TraceViewError';
  /** Why; see the errors table of the README. */
  readonly code: TraceViewErrorCode;

  constructor(code: TraceViewErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
