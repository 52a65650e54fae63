import { headerValues } from '@switchyard/gateway-kit';

/** Longest usable key, in bytes. A longer one counts as none: it is never cut, so two sessions never share a key. */
export const SESSION_KEY_BYTES_MAX = 256;

/** Where a session's key is looked for. Header names are in lower case; cookie names keep theirs. */
export interface SessionKeySources {
  /** Undefined when only the cookie counts, since it is signed. */
  readonly header: string | undefined;
  readonly cookie: string;
  /** Longest usable key. Default {@link SESSION_KEY_BYTES_MAX}. */
  readonly bytesMax?: number;
}

/**
 * The session's key: the header when it holds a usable value, else the cookie, else undefined.
 * Usable is 1 to `bytesMax` bytes after trimming. The key is never logged or exported.
 */
export function sessionKeyOf(raw: readonly string[], sources: SessionKeySources): string | undefined {
  const { header: named, cookie, bytesMax = SESSION_KEY_BYTES_MAX } = sources;
  for (const value of named === undefined ? [] : headerValues(raw, named)) {
    const key = usable(value, bytesMax);
    if (key !== undefined) return key;
  }
  const prefix = `${cookie}=`;
  for (const header of headerValues(raw, 'cookie')) {
    for (const pair of header.split(';')) {
      const trimmed = pair.trim();
      const key = trimmed.startsWith(prefix) ? usable(trimmed.slice(prefix.length), bytesMax) : undefined;
      if (key !== undefined) return key;
    }
  }
  return undefined;
}

/** Node hands header bytes over as latin1, so a character is a byte. */
function usable(value: string, bytesMax: number): string | undefined {
  const key = value.trim();
  return key.length >= 1 && key.length <= bytesMax ? key : undefined;
}
