/** In which API's shape a gateway words its own errors. */
export type ErrorShape = 'openai' | 'anthropic' | 'json_rpc';

/**
 * Where a request says what it asks for: `json`: the body's top-level `model`; `form`: the field `model` of a multipart
 * form (or of a JSON object, which some of these routes take as well); `stored_response`: the id in its path; `mcp`: the
 * JSON-RPC message and the headers beside it.
 */
export type AskedIn = 'json' | 'form' | 'stored_response' | 'mcp';

/** Methods that a proxied route may take. */
export type ApiMethod = 'GET' | 'POST' | 'DELETE';

/** One request path of the AI APIs. */
export interface ApiRoute {
  /** Exact path without the query string; `{id}` stands for one segment. */
  readonly path: string;
  readonly methods: readonly ApiMethod[];
  readonly askedIn: AskedIn;
  readonly errorShape: ErrorShape;
  /** Whether its answers name a response that later requests refer to (`previous_response_id`). */
  readonly createsResponse: boolean;
}

/** A route and what a request's path fills into it. */
export interface MatchedRoute {
  readonly route: ApiRoute;
  /** What stands for `{id}`. */
  readonly id: string | undefined;
}

/**
 * Every path that is proxied, by both gateways and with one code path. Matched byte by byte: no trailing slash, no
 * percent-decoding, so that what was matched is what the next hop receives.
 */
export const API_ROUTES: readonly ApiRoute[] = [
  post('/v1/chat/completions'),
  post('/v1/completions'),
  { ...post('/v1/responses'), createsResponse: true },
  stored('/v1/responses/{id}', ['GET', 'DELETE']),
  stored('/v1/responses/{id}/cancel', ['POST']),
  stored('/v1/responses/{id}/input_items', ['GET']),
  post('/v1/embeddings'),
  post('/v1/moderations'),
  post('/v1/rerank'),
  post('/v1/audio/speech'),
  { ...post('/v1/audio/transcriptions'), askedIn: 'form' },
  { ...post('/v1/audio/translations'), askedIn: 'form' },
  post('/v1/images/generations'),
  { ...post('/v1/images/edits'), askedIn: 'form' },
  { ...post('/v1/images/variations'), askedIn: 'form' },
  { ...post('/v1/messages'), errorShape: 'anthropic' },
  { ...post('/v1/messages/count_tokens'), errorShape: 'anthropic' },
  { ...post('/mcp'), methods: ['POST', 'GET', 'DELETE'], askedIn: 'mcp', errorShape: 'json_rpc' },
];

function post(path: string): ApiRoute {
  return { path, methods: ['POST'], askedIn: 'json', errorShape: 'openai', createsResponse: false };
}

function stored(path: string, methods: readonly ApiMethod[]): ApiRoute {
  return { ...post(path), methods, askedIn: 'stored_response' };
}

const PLACE = '{id}';

const exact: ReadonlyMap<string, MatchedRoute> = new Map(
  API_ROUTES.map((route) => [route.path, { route, id: undefined }]),
);

const templates = API_ROUTES.filter(({ path }) => path.includes(PLACE)).map((route) => {
  const [before = '', after = ''] = route.path.split(PLACE, 2);
  return { route, before, after };
});

/** An identifier that means the same to every server: no slash, no dot segment, nothing percent-encoded. */
const IDENTIFIER = /^(?!\.{1,2}$)[A-Za-z0-9_.:~-]{1,256}$/;

/** The route of a path without query string, or undefined when the path is none of ours. */
export function matchApiRoute(path: string): MatchedRoute | undefined {
  // A template is no path.
  if (path.includes('{')) return undefined;
  const found = exact.get(path);
  if (found !== undefined) return found;
  for (const { route, before, after } of templates) {
    if (!path.startsWith(before) || !path.endsWith(after)) continue;
    const id = path.slice(before.length, path.length - after.length);
    if (IDENTIFIER.test(id)) return { route, id };
  }
  return undefined;
}

/** The path of a request target, without its query string. */
export function pathOfTarget(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}
