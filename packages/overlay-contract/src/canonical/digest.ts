import { createHash } from 'node:crypto';
import { writeValue } from './canonical-json.ts';

/** Members of the payload that decide routing, in canonical order. Everything else is outside the digest. */
const HASHED_MEMBERS = ['candidates', 'local_site', 'network', 'selection_policy'] as const;

/** Big enough that `update` is called rarely, small enough that no giant string is built. */
const CHUNK_CHARS = 64 * 1024;

/**
 * Content address of an overlay payload: SHA-256, as 64 lower-case hex digits, over the canonical JSON of those of
 * `candidates`, `local_site`, `network` and `selection_policy` that are present (a present null counts).
 * Pass the parsed wire object itself: a copy that lost unknown members has another digest.
 * @throws {@link OverlayContractError} `not_canonicalizable` as {@link canonicalJson}.
 */
export function overlayDigest(overlay: Readonly<Record<string, unknown>>): string {
  const hash = createHash('sha256');
  let chunk = '';
  let separator = '{';
  for (const member of HASHED_MEMBERS) {
    if (!Object.hasOwn(overlay, member)) continue;
    chunk += `${separator}"${member}":`;
    separator = ',';
    const value = overlay[member];
    if (!Array.isArray(value)) {
      chunk += writeValue(value, [member]);
      continue;
    }
    // One candidate at a time: hashing a single huge string costs two to three times as much.
    for (let index = 0; index < value.length; index++) {
      chunk += (index === 0 ? '[' : ',') + writeValue(value[index], [member, index]);
      if (chunk.length >= CHUNK_CHARS) {
        hash.update(chunk, 'utf8');
        chunk = '';
      }
    }
    chunk += value.length === 0 ? '[]' : ']';
  }
  return hash.update(`${chunk}${separator === '{' ? '{' : ''}}`, 'utf8').digest('hex');
}
