import { isIP } from 'node:net';
import { buildConnector, Pool } from 'undici';
import { TrackedClient } from './reuse-tracking.ts';
import { UndiciExchange } from './undici-exchange.ts';
import type { Upstream } from './upstream.ts';
import {
  type ResolvedUpstreamOptions,
  resolveUpstreamOptions,
  type UpstreamOptions,
} from './upstream-options.ts';

/**
 * Makes the kept-alive connections to one origin. HTTP/1.1, one request at a time per connection; nothing is
 * connected before the first request.
 *
 * A request whose body is a Buffer or `null` that dies within `resendMs` and without one byte of an answer on a
 * connection that had served before is sent once more on a fresh one: the upstream closed the idle connection while the
 * request was on its way. A request that says `once` has a connection of its own instead.
 *
 * @throws {@link ProxyHttpError} `invalid_options`
 */
export function createUpstream(options: UpstreamOptions): Upstream {
  const resolved = resolveUpstreamOptions(options);
  const connecting = {
    connector: buildConnector({ ...tlsOptions(resolved), timeout: 0 }),
    connectMs: resolved.connectMs,
  };
  const clientOptions = {
    pipelining: 1,
    keepAliveTimeout: resolved.keepAliveMs,
    keepAliveMaxTimeout: resolved.keepAliveMs,
    maxHeaderSize: resolved.maxHeaderBytes,
    // Time limits are the caller's: undici's count in half seconds and know nothing of a first byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const pool = new Pool(resolved.origin, {
    ...clientOptions,
    connections: resolved.connections,
    factory: (origin) => new TrackedClient(origin, clientOptions, connecting),
  });
  const servername = tlsServername(resolved);
  const resend = { withinMs: resolved.resendMs, monotonicMs: resolved.monotonicMs };
  // Connections opened for a single request, still in use.
  const fresh = new Set<TrackedClient>();

  const openFresh = (): TrackedClient => {
    const client = new TrackedClient(resolved.origin, { ...clientOptions, pipelining: 0 }, connecting);
    fresh.add(client);
    return client;
  };
  const closeFresh = async (client: TrackedClient): Promise<void> => {
    await settle(client.close());
    fresh.delete(client);
  };

  return {
    origin: resolved.origin,
    dispatch: (request, handler) => {
      const { origin } = resolved;
      const input = { origin, servername, request, handler, resend, openFresh, closeFresh };
      const exchange = new UndiciExchange(input);
      if (request.once === true) exchange.startFresh();
      else exchange.start(pool);
      return exchange;
    },
    close: async () => {
      await Promise.all([settle(pool.close()), ...Array.from(fresh, closeFresh)]);
    },
    destroy: async () => {
      await Promise.all([settle(pool.destroy()), ...Array.from(fresh, (client) => settle(client.destroy()))]);
    },
  };
}

/** Closing what is closed already is not a failure. */
async function settle(closing: Promise<void>): Promise<void> {
  try {
    await closing;
  } catch {
    // undici rejects only with "already destroyed".
  }
}

function tlsServername({ origin, tls }: ResolvedUpstreamOptions): string | undefined {
  const { protocol, hostname } = new URL(origin);
  if (protocol !== 'https:') return undefined;
  return tls.servername ?? (isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : undefined);
}

function tlsOptions({ tls }: ResolvedUpstreamOptions): buildConnector.BuildOptions {
  return {
    ...(tls.ca === undefined
      ? {}
      : { ca: typeof tls.ca === 'string' || Buffer.isBuffer(tls.ca) ? tls.ca : [...tls.ca] }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    ...(tls.servername === undefined ? {} : { servername: tls.servername }),
  };
}
