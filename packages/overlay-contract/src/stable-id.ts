import { createHash } from 'node:crypto';
import { IDENTIFIER_BYTES_MAX } from './limits.ts';

/**
 * A stable id travels in a request header, so it must survive one unchanged: visible ASCII, spaces and tabs only inside.
 */
export const HEADER_SAFE: RegExp = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Whether a text arrives as it was sent when used as a header value. */
export function isHeaderSafe(text: string): boolean {
  return HEADER_SAFE.test(text);
}

/**
 * Identity of a candidate whose producer gave it no `stable_id`: `kind/name/site/cluster` when that fits a header
 * value of 256 bytes, else `sha256:` and 64 hex digits over the length-prefixed parts, so that
 * `("a/b", "c")` and `("a", "b/c")` stay apart.
 */
export function defaultStableId(candidate: {
  readonly kind: string;
  readonly name: string;
  readonly site: string;
  readonly cluster: string;
}): string {
  const parts = [candidate.kind, candidate.name, candidate.site, candidate.cluster];
  const readable = parts.join('/');
  if (readable.length <= IDENTIFIER_BYTES_MAX && isHeaderSafe(readable)) return readable;
  const hash = createHash('sha256');
  for (const part of parts) {
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(Buffer.byteLength(part)));
    hash.update(length).update(part, 'utf8');
  }
  return `sha256:${hash.digest('hex')}`;
}
