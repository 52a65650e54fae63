import { Hono } from 'hono';
import { type ApiParts, mountApi, problem } from './api-routes.ts';
import type { PageFile } from './page-files.ts';
import { requireToken } from './require-token.ts';
import { securityHeaders } from './security-headers.ts';

/** What the web application is made from. */
export interface WebAppParts extends ApiParts {
  readonly token: string;
  readonly page: ReadonlyMap<string, PageFile>;
  /** Adds the caller's own routes; everything below `/api` but the names used here is theirs. */
  readonly routes: (app: Hono) => void;
  /** Told when a route throws. */
  readonly onWarning: (message: string) => void;
}

/** The page, its JSON and the caller's routes. Everything that isn't a GET needs the Origin and the token. */
export function createWebApp(parts: WebAppParts): Hono {
  const app = new Hono();
  app.use(securityHeaders());
  app.use(requireToken(parts.token));
  mountApi(app, parts);
  parts.routes(app);
  app.get('*', (c) => {
    const file = parts.page.get(c.req.path);
    if (file === undefined)
      return problem(
        c,
        404,
        'not_found',
        `there is nothing at ${c.req.path}${parts.page.size > 0 ? '' : NO_PAGE}`,
      );
    const headers = { 'content-type': file.contentType, etag: file.etag, 'cache-control': 'no-cache' };
    if (c.req.header('if-none-match') === file.etag) return c.body(null, 304, headers);
    return c.body(new Uint8Array(file.body), 200, headers);
  });
  app.notFound((c) => problem(c, 404, 'not_found', `there is no ${c.req.method} ${c.req.path} here`));
  app.onError((error, c) => {
    parts.onWarning(`${c.req.method} ${c.req.path} failed: ${error.message}`);
    return problem(c, 500, 'internal_error', 'this route failed; the log has the reason');
  });
  return app;
}

const NO_PAGE = '; the page is not built: run the build of @switchyard/trace-view';
