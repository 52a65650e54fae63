import { describeCause, ProxyHttpError } from '../errors.ts';
import type { UpstreamFailure } from './upstream.ts';

/** How far an exchange had come when it failed. */
export interface FailureContext {
  readonly origin: string;
  /** The request head was handed to a connected socket. */
  readonly sent: boolean;
  /** At least one byte of an answer was parsed. */
  readonly answered: boolean;
  /** The head of the final answer was complete. */
  readonly head: boolean;
}

/**
 * Raised by the client library about our own request, by us, or by this machine having run out of something.
 * None of them says anything about the upstream.
 */
const LOCAL_CODES: ReadonlySet<string> = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
  'UND_ERR_ABORTED',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EADDRNOTAVAIL',
]);

/** The socket went away; a length or chunk that never came is the same event seen by the parser. */
const RESET_CODES: ReadonlySet<string> = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_INFO',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'HPE_INVALID_EOF_STATE',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
]);

/** What undici says when it closes a healthy socket because of what it read there. */
const BAD_ANSWERS: ReadonlySet<string> = new Set(['bad response', 'bad upgrade']);

/**
 * Sorts an error of the client library by what it says about the upstream.
 *
 * @internal
 */
export function classifyFailure(cause: unknown, context: FailureContext): UpstreamFailure {
  const reason = reasonOf(cause, context);
  const error = new ProxyHttpError(
    reason,
    `${HEADLINES[reason]} ${context.origin}: ${describeCause(cause)}`,
    {
      cause,
    },
  );
  return { reason, error };
}

const HEADLINES: Readonly<Record<UpstreamFailure['reason'], string>> = {
  connect: 'no connection to',
  reset: 'connection lost before the answer was complete:',
  invalid_response: 'the answer is not valid HTTP/1.1:',
  local: 'not sent, or given up on this side:',
};

function reasonOf(cause: unknown, context: FailureContext): UpstreamFailure['reason'] {
  const code = codeOf(cause);
  if (LOCAL_CODES.has(code)) return 'local';
  if (!context.sent) return 'connect';
  if (cause instanceof Error && BAD_ANSWERS.has(cause.message)) return 'invalid_response';
  // Inside a head undici says "length mismatch" of every fault once a content-length was read, e.g. a second one.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !context.head) return 'invalid_response';
  if (RESET_CODES.has(code) || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return 'reset';
  return context.answered || code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW'
    ? 'invalid_response'
    : 'local';
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}
