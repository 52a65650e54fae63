import { HOP_BY_HOP_HEADERS, lowerName, nominatedHeaders } from './hop-by-hop.ts';

/**
 * The headers of an upstream's answer that may go on to the client, as a new flat list. Order, spelling and
 * duplicates (`set-cookie`) are kept; hop-by-hop headers and those nominated by `Connection` are removed.
 * `content-length` and `content-encoding` stay: the bytes of the body are passed on as they are.
 *
 * @param status of the answer; a 204 loses its `content-length`, which it must not have (RFC 9110 §8.6)
 */
export function filterResponseHeaders(raw: readonly string[], status?: number): string[] {
  const nominated = nominatedHeaders(raw);
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const lower = lowerName(name);
    if (HOP_BY_HOP_HEADERS.has(lower) || nominated?.has(lower)) continue;
    if (status === 204 && lower === 'content-length') continue;
    kept.push(name, raw[i + 1] ?? '');
  }
  return kept;
}

/**
 * First value of a header in a flat raw list.
 *
 * @param name lower-case
 * @internal
 */
export function firstHeader(raw: readonly string[], name: string): string | undefined {
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const found = raw[i] ?? '';
    if (found.length === name.length && lowerName(found) === name) return raw[i + 1];
  }
  return undefined;
}
