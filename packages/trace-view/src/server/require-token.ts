import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { isOwnOrigin } from './guard.ts';

/** Name of the header that carries the token of {@link ViewState}. */
const TOKEN_HEADER = 'x-switchyard-token';

/**
 * Lets a request that may change something through only when it comes from a page of this server (Origin) that has read
 * the token of this start. GET and HEAD pass.
 */
export function requireToken(token: string): MiddlewareHandler {
  const expected = Buffer.from(token);
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    if (!isOwnOrigin(c.req.header('origin'), c.req.header('host') ?? ''))
      return c.json(refusal('a request that changes something needs the Origin of this server'), 403);
    const given = Buffer.from(c.req.header(TOKEN_HEADER) ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return c.json(
        refusal(`${TOKEN_HEADER} is not the token of this start; GET /api/state has it, reload the page`),
        403,
      );
    return next();
  };
}

function refusal(message: string): object {
  return { ok: false, error: { code: 'forbidden', message } };
}
