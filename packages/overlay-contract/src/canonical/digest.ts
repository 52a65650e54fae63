import { createHash } from 'node:crypto';
import { writeValue } from './canonical-json.ts';
import { PlainWriter } from './plain-writer.ts';

/** Members of the payload that decide routing, in canonical order. Everything else is outside the digest. */
export const HASHED_MEMBERS: readonly ['candidates', 'local_site', 'network', 'selection_policy'] =
  Object.freeze(['candidates', 'local_site', 'network', 'selection_policy'] as const);

/** Big enough that `update` is called rarely, small enough that no giant string is built. */
const CHUNK_CHARS = 64 * 1024;

/** A digest, and how many members stand inside the hashed values: counted on the way, at no cost. */
export interface CountedDigest {
  readonly digest: string;
  readonly members: number;
}

/**
 * Content address of an overlay payload: SHA-256, as 64 lower-case hex digits, over the canonical JSON of those of
 * `candidates`, `local_site`, `network` and `selection_policy` that are present (a present null counts).
 * Pass the parsed wire object itself: a copy that lost unknown members has another digest.
 * @throws {@link OverlayContractError} `not_canonicalizable` as {@link canonicalJson}.
 */
export function overlayDigest(overlay: Readonly<Record<string, unknown>>): string {
  return countedDigest(overlay)?.digest ?? thoroughDigest(overlay);
}

/** The digest of a payload that JSON.parse returned; undefined when it holds what has no canonical form. */
export function countedDigest(overlay: Readonly<Record<string, unknown>>): CountedDigest | undefined {
  const writer = new PlainWriter();
  const digest = hashed(overlay, (value) => writer.tryWrite(value));
  return digest === undefined ? undefined : { digest, members: writer.members };
}

/** As {@link overlayDigest}, slower: names the value that has no canonical form. */
export function thoroughDigest(overlay: Readonly<Record<string, unknown>>): string {
  // The thorough writer throws instead of giving up.
  return String(hashed(overlay, (value, path) => writeValue(value, [...path])));
}

/** Hashes what `write` makes of each hashed member, a candidate at a time; undefined as soon as `write` says so. */
function hashed(
  overlay: Readonly<Record<string, unknown>>,
  write: (value: unknown, path: readonly PropertyKey[]) => string | undefined,
): string | undefined {
  const hash = createHash('sha256');
  let chunk = '{';
  for (const member of HASHED_MEMBERS) {
    if (!Object.hasOwn(overlay, member)) continue;
    chunk += `${chunk === '{' ? '' : ','}"${member}":`;
    const value = overlay[member];
    if (!Array.isArray(value)) {
      const text = write(value, [member]);
      if (text === undefined) return undefined;
      chunk += text;
      continue;
    }
    chunk += '[';
    // One candidate at a time: hashing a single huge string costs two to three times as much.
    for (let index = 0; index < value.length; index++) {
      const text = write(value[index], [member, index]);
      if (text === undefined) return undefined;
      chunk += index === 0 ? text : `,${text}`;
      if (chunk.length < CHUNK_CHARS) continue;
      hash.update(chunk, 'utf8');
      chunk = '';
    }
    chunk += ']';
  }
  return hash.update(`${chunk}}`, 'utf8').digest('hex');
}
