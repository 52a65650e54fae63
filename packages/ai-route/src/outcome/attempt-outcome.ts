/** What one attempt came to. Bounded: it is a metric label. */
export type AttemptResult =
  | 'answered'
  | 'status_429'
  | 'status_500'
  | 'status_502'
  | 'status_503'
  | 'status_504'
  | 'status_529'
  | 'connect_failed'
  | 'reset'
  | 'first_byte_timeout'
  | 'invalid_response'
  | 'no_endpoint'
  | 'local_error'
  | 'broken'
  | 'client_gone';

/** How an attempt ended, as far as deciding what comes next needs to know. */
export interface AttemptOutcome {
  readonly result: AttemptResult;
  /** What the provider asked for by `Retry-After`, in milliseconds from now. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the first byte of an `answered` response went to the client. Default false. */
  readonly begun?: boolean | undefined;
  /** Whether the request can be sent again exactly as it came. Default true. */
  readonly replayable?: boolean | undefined;
}
