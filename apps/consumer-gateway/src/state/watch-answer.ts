import type { StateNamer } from '@switchyard/ai-route';
import { type ApiRoute, type Asked, headerValues, stateKey } from '@switchyard/gateway-kit';
import type { UpstreamHead } from '@switchyard/proxy-core-http';
import { ResponseIdPeek } from './response-id.ts';

/** An answer that is passed on. */
export interface WatchedAnswer {
  readonly route: ApiRoute;
  readonly method: string;
  readonly asked: Asked;
  readonly head: UpstreamHead;
}

/**
 * Learns from an answer what its provider holds from now on: the MCP session or the response that it names, and
 * whatever state the request went on with, for it was accepted there.
 * @param learn - Called with each state key, and whether the provider named it or took it from the request.
 * @returns What wants to see the pieces of the body, until it returns false; undefined when the head said it all.
 */
export function watchAnswer(
  { route, method, asked, head }: WatchedAnswer,
  learn: (key: string, namedBy: StateNamer) => void,
): ((piece: Buffer) => boolean) | undefined {
  if (head.status < 200 || head.status >= 300 || method === 'DELETE') return undefined;
  const tell = (key: string | undefined, namedBy: StateNamer): void => {
    if (key !== undefined) learn(key, namedBy);
  };
  tell(asked.stateKey, 'client');
  if (route.askedIn === 'mcp') {
    const [session] = headerValues(head.headers, 'mcp-session-id');
    if (session !== undefined) tell(stateKey('mcp_session', session.trim()), 'provider');
  }
  if (!route.createsResponse) return undefined;
  const [type = ''] = headerValues(head.headers, 'content-type');
  const encoding = headerValues(head.headers, 'content-encoding').join(',').trim().toLowerCase();
  const format = { events: type.toLowerCase().includes('event-stream'), encoding };
  const peek = new ResponseIdPeek(format, (id) => tell(stateKey('response', id), 'provider'));
  return (piece) => peek.take(piece);
}
