import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@switchyard/test-kit';
import {
  collectBody,
  createHardenedServer,
  createUpstream,
  type ForwardOptions,
  type ForwardOutcome,
  filterRequestHeaders,
  forward,
  type Upstream,
  type UpstreamOptions,
} from '../../src/index.ts';

/** What a test wants to differ from the plain proxy. */
export interface ProxyOptions {
  readonly forward?: Partial<Omit<ForwardOptions, 'upstream' | 'outgoing'>>;
  readonly upstream?: Omit<UpstreamOptions, 'origin'>;
  /** How the request body goes on. Default `collect`. */
  readonly body?: 'collect' | 'stream';
  /** Called when the upstream gave nothing that was sent; default answers 502 with the outcome as JSON. */
  readonly onUnsent?: (outcome: ForwardOutcome, outgoing: ServerResponse) => void;
}

/** A proxy of one upstream on a real socket, remembering how each exchange ended. */
export interface Proxy extends AsyncDisposable {
  readonly port: number;
  readonly server: Server;
  readonly upstream: Upstream;
  readonly outcomes: readonly ForwardOutcome[];
  /** Exchanges begun so far. */
  readonly begun: number;
  /** Waits until `n` exchanges have been begun. */
  forwarding(n: number): Promise<void>;
  /** The outcome of exchange number `n`, from 1. */
  outcome(n?: number): Promise<ForwardOutcome>;
}

function unsent(outcome: ForwardOutcome, outgoing: ServerResponse): void {
  const body = JSON.stringify({
    kind: outcome.kind,
    reason: 'reason' in outcome ? outcome.reason : undefined,
  });
  outgoing.writeHead(502, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  outgoing.end(body);
}

/** Starts a {@link Proxy} in front of `origin`. */
export async function startProxy(origin: string, options: ProxyOptions = {}): Promise<Proxy> {
  const upstream = createUpstream({ origin, ...options.upstream });
  const outcomes: ForwardOutcome[] = [];
  let begun = 0;
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const read =
      options.body === 'stream' ? undefined : await collectBody(incoming, { maxBytes: 100_000_000 });
    if (read?.ok === false) return;
    const body = read?.body ?? incoming;
    const request = {
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: filterRequestHeaders(incoming.rawHeaders),
      body,
    };
    begun++;
    const outcome = await forward({ upstream, outgoing, request, ...options.forward });
    outcomes.push(outcome);
    if (outcome.kind === 'failed' || outcome.kind === 'rejected')
      (options.onUnsent ?? unsent)(outcome, outgoing);
  };
  const server = createHardenedServer({ onRequest: (incoming, outgoing) => void handle(incoming, outgoing) });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    server,
    upstream,
    outcomes,
    get begun() {
      return begun;
    },
    forwarding: async (n) => {
      await waitUntil(() => begun >= n, { what: `exchange ${n}`, intervalMs: 2 });
    },
    outcome: (n = 1) => waitUntil(() => outcomes[n - 1], { what: `outcome ${n}` }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await upstream.destroy();
    },
  };
}
