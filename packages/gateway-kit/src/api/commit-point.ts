import { headerValues } from '../http/raw-headers.ts';
import type { ApiRoute } from './api-routes.ts';

/**
 * When the head of an answer is passed on: with its first byte, so that until then another attempt may answer; or at
 * once, for the event streams of MCP, which may stay silent for as long as nothing happens while the client waits to
 * hear that they are open.
 */
export function commitPoint(route: ApiRoute, headers: readonly string[]): 'commit' | 'commit_at_head' {
  if (route.askedIn !== 'mcp') return 'commit';
  const [type = ''] = headerValues(headers, 'content-type');
  return /^\s*text\/event-stream\b/i.test(type) ? 'commit_at_head' : 'commit';
}
