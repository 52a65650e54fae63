import { headerValues } from '@switchyard/gateway-kit';

/** Longest usable key, in bytes. A longer one counts as none: it is never cut, so two sessions never share a key. */
export const SESSION_KEY_BYTES_MAX = 256;

/** Where a session's key is looked for. Header names are in lower case; cookie names keep theirs. */
export interface SessionKeySources {
  readonly header: string;
  readonly cookie: string;
}

/**
 * The session's key: the header when it holds a usable value, else the cookie, else undefined.
 * Usable is 1 to {@link SESSION_KEY_BYTES_MAX} bytes after trimming. The key is never logged or exported.
 */
export function sessionKeyOf(raw: readonly string[], sources: SessionKeySources): string | undefined {
  for (const value of headerValues(raw, sources.header)) {
    const key = usable(value);
    if (key !== undefined) return key;
  }
  const prefix = `${sources.cookie}=`;
  for (const header of headerValues(raw, 'cookie')) {
    for (const pair of header.split(';')) {
      const trimmed = pair.trim();
      const key = trimmed.startsWith(prefix) ? usable(trimmed.slice(prefix.length)) : undefined;
      if (key !== undefined) return key;
    }
  }
  return undefined;
}

/** Node hands header bytes over as latin1, so a character is a byte. */
function usable(value: string): string | undefined {
  const key = value.trim();
  return key.length >= 1 && key.length <= SESSION_KEY_BYTES_MAX ? key : undefined;
}
