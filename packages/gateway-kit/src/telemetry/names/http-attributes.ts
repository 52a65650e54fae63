import type { AttributeCatalogue } from './span-definition.ts';

/** Attributes of every SERVER span. */
export type HttpServerAttribute =
  | 'http.request.method'
  | 'http.route'
  | 'url.path'
  | 'url.scheme'
  | 'http.response.status_code'
  | 'error.type';

/** Attributes of every CLIENT span. */
export type HttpClientAttribute =
  | 'http.request.method'
  | 'server.address'
  | 'server.port'
  | 'url.full'
  | 'http.response.status_code'
  | 'error.type';

const METHODS = ['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE', '_OTHER'];

/** https://opentelemetry.io/docs/specs/semconv/http/http-spans/, server side. */
export const HTTP_SERVER_ATTRIBUTES: AttributeCatalogue<HttpServerAttribute> = {
  'http.request.method': {
    type: 'string',
    help: 'Method; `_OTHER` for one that HTTP does not define.',
    values: METHODS,
  },
  'http.route': {
    type: 'string',
    help: 'Path of the route; absent when the path is none that is served.',
    bound: 'served paths',
  },
  'url.path': { type: 'string', help: 'Path, without the query string.', bound: '256 characters' },
  'url.scheme': { type: 'string', help: 'Scheme of this hop.', values: ['http', 'https'] },
  'http.response.status_code': {
    type: 'int',
    help: 'Status that was sent; absent when the client left before.',
    bound: 'three digits',
  },
  'error.type': {
    type: 'string',
    help: 'Why the span is an error: code of our own answer, status, or how the answer broke off.',
    bound: 'closed lists and three-digit statuses',
  },
};

/** The same, client side. */
export const HTTP_CLIENT_ATTRIBUTES: AttributeCatalogue<HttpClientAttribute> = {
  'http.request.method': { type: 'string', help: 'Method.', values: METHODS },
  'server.address': { type: 'string', help: 'Host that was called.', bound: 'configured endpoints' },
  'server.port': { type: 'int', help: 'Port that was called.', bound: 'configured endpoints' },
  'url.full': {
    type: 'string',
    help: 'Endpoint and route; never a query string.',
    bound: 'configured endpoints and routes',
  },
  'http.response.status_code': {
    type: 'int',
    help: 'Status that was received; absent when there was none.',
    bound: 'three digits',
  },
  'error.type': {
    type: 'string',
    help: 'Why the span is an error: status from 400, or how the exchange failed.',
    bound: 'closed list and three-digit statuses',
  },
};

const methods: ReadonlySet<string> = new Set(METHODS);

/** A method as the attribute has it: a client's invention never becomes a value. */
export function methodAttribute(method: string | undefined): string {
  return method !== undefined && methods.has(method) ? method : '_OTHER';
}

/** A path as the attribute has it: without the query string, cut. */
export function pathAttribute(target: string): string {
  const query = target.indexOf('?');
  return target.slice(0, Math.min(query === -1 ? target.length : query, 256));
}
