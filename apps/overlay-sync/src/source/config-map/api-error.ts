/** Why the Kubernetes API gave no usable answer. */
export type ApiErrorCode =
  /** No connection, or it broke. */
  | 'connection'
  /** No answer in time. */
  | 'timeout'
  /** The resource version is too old: list again. */
  | 'expired'
  /** 429, or 503 with `Retry-After`. */
  | 'throttled'
  /** Any other status than 200. */
  | 'status'
  /** An answer that isn't what the API's protocol says. */
  | 'malformed_answer'
  | 'answer_too_large'
  /** The token or CA file can't be read. */
  | 'credentials';

/** A failed exchange with the Kubernetes API. The message says with whom, and what came back. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  /** How long the server asks to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ApiErrorCode, message: string, more: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.retryAfterMs = more.retryAfterMs;
  }
}

/** The error itself if it is ours, else what the connection's error means. */
export function asApiError(error: unknown, what: string): ApiError {
  if (error instanceof ApiError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = error instanceof Error ? error.message : String(error);
  return new ApiError('connection', `${what}: ${[code, reason].filter(Boolean).join(' ')}`, { cause: error });
}
