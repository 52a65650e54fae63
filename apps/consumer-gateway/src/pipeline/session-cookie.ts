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
