/** In which API's shape the gateway words its own errors on a route. */
export type ErrorShape = 'openai' | 'anthropic';

/** One request path that is routed to a provider. */
export interface ProxiedRoute {
  /** Exact path, without the query string; also the `route` label of metrics and the `http.route` of spans. */
  readonly path: string;
  readonly errorShape: ErrorShape;
}

/**
 * The paths that carry a JSON body with a top-level `model`, all served by one code path. Matched byte by byte:
 * no trailing slash, no percent-decoding, so that what was matched is what the provider receives.
 */
export const PROXIED_ROUTES: readonly ProxiedRoute[] = [
  { path: '/v1/chat/completions', errorShape: 'openai' },
  { path: '/v1/completions', errorShape: 'openai' },
  { path: '/v1/embeddings', errorShape: 'openai' },
  { path: '/v1/responses', errorShape: 'openai' },
  { path: '/v1/messages', errorShape: 'anthropic' },
];

const byPath: ReadonlyMap<string, ProxiedRoute> = new Map(PROXIED_ROUTES.map((route) => [route.path, route]));

/** The path of a request target, without its query string. */
function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

/** The proxied route of a request target, or undefined when the target is not proxied. */
export function matchRoute(target: string): ProxiedRoute | undefined {
  return byPath.get(pathOf(target));
}

/**
 * A request target as providers receive it: `http://host/path?query`, which a server must take as well (RFC 9112 §3.2.2),
 * loses its front. The rest is kept byte for byte.
 */
export function originForm(target: string): string {
  // 47 is "/": nearly every target.
  return target.charCodeAt(0) === 47 ? target : target.replace(/^https?:\/\/[^/?#]+(?=\/)/i, '');
}
