/**
 * Closed list of what can be wrong with an export, and the HTTP status that says so. None of them is worth sending
 * again as it is, except `overloaded`.
 */
export const OTLP_ERROR_STATUS = {
  /** The body is not an OTLP message of its content type. */
  malformed: 400,
  /** The body is past a limit, before or after decompression, or holds too many values. */
  too_large: 413,
  /** Sent by a web page of another origin, or to a host name that is not this server's. */
  forbidden: 403,
  /** Another content type or content encoding than those understood. */
  unsupported: 415,
  /** Metrics, logs, or an export to a path that is none. */
  not_found: 404,
  /** Another method than POST. */
  method: 405,
  /** Too much is being read already, or the store is full and told to refuse. */
  overloaded: 429,
  /** The callback that was to keep the export failed. */
  not_kept: 503,
} as const;

/** One key of {@link OTLP_ERROR_STATUS}. */
export type OtlpErrorCode = keyof typeof OTLP_ERROR_STATUS;

/** Why an export was refused. The message is for people and goes back to the exporter. */
export class OtlpError extends Error {
  override readonly name = 'OtlpError';
  readonly code: OtlpErrorCode;

  constructor(code: OtlpErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
