const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;

/**
 * Spells a place in a JSON document: `messages[0].content`, `["odd key"].x`.
 * The empty string is the document itself.
 */
export function jsonPath(segments: readonly PropertyKey[]): string {
  let path = '';
  for (const segment of segments) {
    if (typeof segment === 'number') path += `[${segment}]`;
    else if (PLAIN_KEY.test(String(segment))) path += path === '' ? String(segment) : `.${String(segment)}`;
    else path += `[${JSON.stringify(String(segment))}]`;
  }
  return path;
}
