import type { Cassette } from '../cassette/format.ts';
import { JSON_DEPTH_MAX, JsonDepthError } from '../json/canonical-json.ts';
import type { CassetteIndex } from '../match/cassette-index.ts';
import { nearestCassette } from '../match/nearest.ts';
import { routeKey } from '../match/request-key.ts';
import {
  invalidJsonRefusal,
  methodRefusal,
  missRefusal,
  type Refusal,
  tooDeepRefusal,
  unknownPathRefusal,
} from './refusal.ts';

/** A request as it came in. */
export interface RawRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly body: Buffer;
}

/** What to answer: a cassette, or an error reply. */
export type Decision = {
  /** Whether the body asks for a stream. */
  readonly stream: boolean;
} & (
  | { readonly kind: 'hit'; readonly cassette: Cassette }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
);

/** Finds the answer to a request. A hit uses up one turn of the cassettes that share this request. */
export function decide(index: CassetteIndex, request: RawRequest): Decision {
  const { method, path } = request;
  const cassettes = index.onRoute(method, path);
  if (cassettes.length === 0) {
    const refusal = index.paths.has(path)
      ? methodRefusal(method, path, index.methodsOn(path))
      : unknownPathRefusal(path, index.paths);
    return { kind: 'refused', stream: false, refusal };
  }
  const parsed = parseBody(request.body);
  if (!parsed.ok) return { kind: 'refused', stream: false, refusal: invalidJsonRefusal(parsed.reason) };

  const { body } = parsed;
  const stream = asksForStream(body);
  try {
    const cassette = index.take({ method, path, body });
    if (cassette !== undefined) return { kind: 'hit', stream, cassette };
  } catch (error) {
    if (!(error instanceof JsonDepthError)) throw error;
    return { kind: 'refused', stream, refusal: tooDeepRefusal(JSON_DEPTH_MAX) };
  }
  if (request.body.byteLength === 0)
    return { kind: 'refused', stream, refusal: invalidJsonRefusal('it is empty') };
  const nearest = nearestCassette(cassettes, body, index.ignore);
  // A route in the index has at least one cassette, so there is always a nearest one.
  if (nearest === undefined)
    return { kind: 'refused', stream, refusal: unknownPathRefusal(path, index.paths) };
  return { kind: 'refused', stream, refusal: missRefusal(routeKey(method, path), nearest) };
}

type ParsedBody =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly reason: string };

function parseBody(bytes: Buffer): ParsedBody {
  if (bytes.byteLength === 0) return { ok: true, body: null };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, reason: 'it is not UTF-8' };
  }
  try {
    return { ok: true, body: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

function asksForStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && (body as Record<string, unknown>)['stream'] === true;
}
