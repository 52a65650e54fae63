import type { AttemptResult } from '@switchyard/ai-route';
import type { ReadRequest } from '../request/read-request.ts';

/** Results that came about before any provider knew of the request. */
const UNSENT: ReadonlySet<AttemptResult> = new Set(['connect_failed', 'no_endpoint']);

/**
 * Whether a request can be sent again, to somebody else, after an attempt with this result: its body is short enough to
 * be kept, and it is one that two providers may act on, or none has seen it yet.
 */
export function replayableAfter(
  result: AttemptResult,
  { asked, body }: ReadRequest,
  replayBodyBytes: number,
): boolean {
  return body.length <= replayBodyBytes && (asked.repeatable || UNSENT.has(result));
}
