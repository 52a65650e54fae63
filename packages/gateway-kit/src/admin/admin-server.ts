import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { ListenAddress } from '../config/schemas.ts';
import { CONTENT_TYPES, negotiateFormat } from '../metrics/exposition.ts';
import type { MetricRegistry } from '../metrics/registry.ts';
import { closeServer } from '../net/close-server.ts';
import { listen } from '../net/listen.ts';

/** Whether the app may get traffic, and if not, why. */
export interface Readiness {
  readonly ready: boolean;
  /** Whether it is ready, but somebody should look. Shown when given. */
  readonly degraded?: boolean;
  /** What is missing or wrong, for people. Empty when all is well. */
  readonly reasons: readonly string[];
}

/** What an admin server is made from. */
export interface AdminServerOptions {
  readonly listen: ListenAddress;
  readonly log: Logger;
  /** Asked at each `/readyz`. May throw: that counts as not ready. */
  readonly ready: () => Readiness;
  readonly metrics: MetricRegistry;
  /** Adds the app's own routes. */
  readonly routes?: (app: Hono) => void;
}

/** A listening admin server. */
export interface AdminServer {
  /** The actual port. */
  readonly port: number;
  /** Stops to accept, lets running answers finish for up to a second, then cuts. */
  close(): Promise<void>;
}

const CLOSE_GRACE_MS = 1000;

/**
 * Serves `/livez`, `/readyz`, `/metrics` and the app's routes. Unknown paths get a 404 that lists the known ones;
 * a route that throws gets a 500 and a log line, and the server lives on.
 *
 * @throws {@link ListenError} when the address cannot be opened.
 */
export async function createAdminServer(options: AdminServerOptions): Promise<AdminServer> {
  const app = new Hono();
  app.get('/livez', (c) => c.json({ live: true }));
  app.get('/readyz', (c) => {
    const readiness = askReadiness(options);
    return c.json(readiness, readiness.ready ? 200 : 503, { 'cache-control': 'no-store' });
  });
  app.get('/metrics', async (c) => {
    const format = negotiateFormat(c.req.header('accept'));
    const { text, failures } = await options.metrics.expose(format);
    for (const { metric, error } of failures)
      options.log.warn({ metric, err: error }, 'a metric could not be collected');
    return c.body(text, 200, { 'content-type': CONTENT_TYPES[format], vary: 'accept' });
  });
  options.routes?.(app);
  const paths = [...new Set(app.routes.map((route) => route.path))]
    .filter((path) => !path.includes('*'))
    .sort();
  app.notFound((c) =>
    c.json({ error: { message: `no ${c.req.method} ${c.req.path} here`, code: 'not_found', paths } }, 404),
  );
  app.onError((error, c) => {
    options.log.error({ err: error, path: c.req.path }, 'an admin route failed');
    return c.json(
      { error: { message: 'this admin route failed; the log has the reason', code: 'internal_error' } },
      500,
    );
  });
  const server = createAdaptorServer({ fetch: app.fetch });
  const port = await listen(server, options.listen);
  return { port, close: () => closeServer(server, CLOSE_GRACE_MS) };
}

function askReadiness(options: AdminServerOptions): Readiness {
  try {
    const { ready, degraded, reasons } = options.ready();
    return { ready, ...(degraded === undefined ? {} : { degraded }), reasons };
  } catch (error) {
    options.log.error({ err: error }, 'the readiness check failed');
    return { ready: false, reasons: ['the readiness check itself failed; the log has the reason'] };
  }
}
