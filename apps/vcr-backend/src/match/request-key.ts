import { canonicalJson } from '../json/canonical-json.ts';

/** Members of a request body that never decide which cassette answers, unless the config says otherwise. */
export const DEFAULT_IGNORE: readonly string[] = ['user', 'metadata', 'stream_options'];

/** What a cassette is looked up by. */
export interface MatchedRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Parsed JSON body; `null` when there was none. */
  readonly body: unknown;
}

/** The route part of a key: exact method and exact path. */
export function routeKey(method: string, path: string): string {
  return `${method} ${path}`;
}

/**
 * One text per class of equal requests: method, path and the body as a JSON value, without the ignored top-level
 * members. Key order, white space and number spelling don't matter.
 *
 * @throws `JsonDepthError` when the body nests too deeply.
 */
export function requestKey(request: MatchedRequest, ignore: ReadonlySet<string>): string {
  return `${routeKey(request.method, request.path)}\n${canonicalJson(request.body, { omit: ignore })}`;
}
