/**
 * One reply, as its log line `{"event":"reply",...}` tells it. Members that don't apply are `null`, never absent.
 * Never holds a prompt, a body or a credential.
 */
export interface ReplyRecord {
  /** Number of the request in this process, from 1, in order of arrival. */
  readonly n: number;
  /** The configured `instance`. */
  readonly instance: string;
  /** Id of the cassette that was played; `null` on a miss or a refused request. */
  readonly cassette: string | null;
  readonly hit: boolean;
  /** The status sent; 499 when the client left before one was. */
  readonly status: number;
  /** Whether the request asked for a stream (`"stream": true`). */
  readonly stream: boolean;
  /** Body bytes handed to the connection. */
  readonly bytes: number;
  /** From the request's head to the last byte, in milliseconds. */
  readonly durationMs: number;
  /** Whether the client left before the last byte. */
  readonly aborted: boolean;
  /** W3C trace id of the request, 32 hex digits. */
  readonly traceId: string | null;
  /** Request header `x-ai-provider-request-id`. */
  readonly providerRequestId: string | null;
  /** Request header `x-ai-provider-attribution`. */
  readonly attribution: string | null;
  /** Request header `x-ai-provider-routing-revision`. */
  readonly routingRevision: string | null;
  /** When the reply ended, ISO 8601. */
  readonly time: string;
}
