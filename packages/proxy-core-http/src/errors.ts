/** Closed list of the codes a {@link ProxyHttpError} can carry. */
export const PROXY_HTTP_ERROR_CODES = [
  'connect',
  'reset',
  'first_byte_timeout',
  'invalid_response',
  'local',
  'invalid_options',
] as const;

/** One of {@link PROXY_HTTP_ERROR_CODES}. */
export type ProxyHttpErrorCode = (typeof PROXY_HTTP_ERROR_CODES)[number];

/** The codes that say why an exchange failed before anything reached the client. */
export type FailureReason = Exclude<ProxyHttpErrorCode, 'invalid_options'>;

/**
 * The only error class of this package. `code` is closed, `cause` keeps what the socket, the parser or the
 * caller's own callback threw, and the message already contains the root code.
 */
export class ProxyHttpError extends Error {
  /** Why; see the errors table of the README. */
  readonly code: ProxyHttpErrorCode;

  constructor(code: ProxyHttpErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ProxyHttpError';
    this.code = code;
  }
}

/**
 * The shortest honest description of anything thrown: `ECONNREFUSED: connect ...`, or the message alone.
 *
 * @internal
 */
export function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code: unknown = 'code' in cause ? cause.code : undefined;
  const text = cause.message === '' ? cause.name : cause.message;
  return typeof code === 'string' && !text.includes(code) ? `${code}: ${text}` : text;
}
