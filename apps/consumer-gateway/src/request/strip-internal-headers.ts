/**
 * Headers of the hop between our own gateways, and ours to the client. A client's copy is a forgery and a provider's an
 * echo, so neither goes any further.
 */
const internalPrefixes = ['x-ai-routing-', 'x-ai-provider-', 'x-switchyard-'];

/** Whether a header name, in any case, belongs to the gateways. */
function isInternalHeader(name: string): boolean {
  // Nearly every header fails on its first letters: no lower-case copy is made for those.
  const first = name.charCodeAt(0);
  if ((first !== 120 && first !== 88) || name.charCodeAt(1) !== 45) return false;
  const lower = name.toLowerCase();
  return internalPrefixes.some((prefix) => lower.startsWith(prefix));
}

/** The same flat list of names and values without the internal ones; the very same array when there are none. */
export function stripInternalHeaders<List extends readonly string[]>(raw: List): List | string[] {
  let kept: string[] | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (isInternalHeader(name)) kept ??= raw.slice(0, at);
    else kept?.push(name, raw[at + 1] ?? '');
  }
  return kept ?? raw;
}
