/**
 * Headers that belong to one connection (RFC 9110 §7.6.1 and what is in use besides), lower-case. Removed in both
 * directions. `te` and `trailer` are here because trailers are not forwarded; `proxy-authorization` is addressed to
 * this proxy, not to the next server.
 */
export const HOP_BY_HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The header names that `Connection` headers nominate, lower-case; `undefined` when there are none besides the
 * usual `keep-alive` and `close`.
 *
 * @internal
 */
export function nominatedHeaders(raw: readonly string[]): ReadonlySet<string> | undefined {
  let names: Set<string> | undefined;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? '';
    // "connection" has ten letters: most names are out without being lower-cased.
    if (name.length !== 10 || lowerName(name) !== 'connection') continue;
    for (const token of (raw[i + 1] ?? '').split(',')) {
      const nominated = token.trim().toLowerCase();
      if (nominated === '' || nominated === 'keep-alive' || nominated === 'close') continue;
      names ??= new Set();
      names.add(nominated);
    }
  }
  return names;
}

/** Names seen in nearly every request or answer, in lower case; the table also holds their Title-Case spelling. */
const COMMON_NAMES = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'date',
  'expect',
  'host',
  'keep-alive',
  'server',
  'set-cookie',
  'traceparent',
  'tracestate',
  'transfer-encoding',
  'user-agent',
  'vary',
  'x-api-key',
  'x-request-id',
] as const;

const LOWER_CASE: ReadonlyMap<string, string> = new Map(
  COMMON_NAMES.flatMap((name) => [
    [name, name],
    [name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase()), name],
  ]),
);

/**
 * Lower-cases a header name; the common ones come from a table fixed at start, so that no cache can be grown by
 * what clients invent.
 *
 * @internal
 */
export function lowerName(name: string): string {
  return LOWER_CASE.get(name) ?? name.toLowerCase();
}
