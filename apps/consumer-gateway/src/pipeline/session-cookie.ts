import type { Selection } from '@switchyard/ai-route';

/** The cookie by which clients keep their session's binding, in affinity mode `cookie`. */
export interface SessionCookie {
  readonly name: string;
  readonly maxAgeSeconds: number;
}

/** A response's headers with the cookie that its client should keep, when there is a new one. */
export function withSessionCookie(
  headers: string[],
  selection: Selection,
  cookie: SessionCookie | undefined,
): string[] {
  const token = cookie === undefined ? undefined : selection.sessionToken();
  if (cookie === undefined || token === undefined) return headers;
  const { name, maxAgeSeconds } = cookie;
  return [
    ...headers,
    'set-cookie',
    `${name}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`,
  ];
}

/**
 * A request's headers without the session cookie: it is between this gateway and its client, and no provider's business.
 * Other cookies stay as they are.
 */
export function withoutSessionCookie(
  headers: readonly string[],
  cookie: SessionCookie | undefined,
): readonly string[] {
  if (cookie === undefined) return headers;
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1] ?? '';
    const left = name.toLowerCase() === 'cookie' ? withoutPair(value, `${cookie.name}=`) : value;
    if (left !== undefined) kept.push(name, left);
  }
  return kept;
}

/** Undefined when no other cookie is left. */
function withoutPair(value: string, prefix: string): string | undefined {
  if (!value.includes(prefix)) return value;
  const others = value.split(';').filter((pair) => !pair.trimStart().startsWith(prefix));
  return others.length === 0 ? undefined : others.join(';').trimStart();
}

/**
 * An answer's headers without a session cookie of the provider's own. Clients would send it as their session's key, so
 * that one provider could draw every session it has answered to itself, or undo the cookie that the gateway signed.
 *
 * @param name - Of the cookie; undefined when there are no sessions.
 */
export function withoutSetSessionCookie(headers: string[], name: string | undefined): string[] {
  if (name === undefined) return headers;
  let kept: string[] | undefined;
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1] ?? '';
    if (headers[at]?.toLowerCase() === 'set-cookie' && value.split('=', 1)[0]?.trim() === name)
      kept ??= headers.slice(0, at);
    else kept?.push(headers[at] ?? '', value);
  }
  return kept ?? headers;
}
