import type { MiddlewareHandler } from 'hono';
import { PAGE_SECURITY_POLICY } from '../page/page-files.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': PAGE_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

/** Adds the headers that keep pages of others out; a route that sets one of them itself keeps its own. */
export function securityHeaders(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) if (!c.res.headers.has(name)) c.header(name, value);
  };
}
