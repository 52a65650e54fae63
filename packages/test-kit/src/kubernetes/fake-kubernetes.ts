import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type ApiFault, ApiFaults, type ApiVerb } from './api-faults.ts';
import { answerConfigMaps, type ConfigMapRequest, parseConfigMapRequest } from './config-map-routes.ts';
import { ConfigMapStore, StoreError } from './config-map-store.ts';
import { discoveryAnswer } from './discovery.ts';
import { statusObject } from './status-object.ts';
import type { WatchStream } from './watch-stream.ts';

/** Options of {@link startFakeKubernetes}. */
export interface FakeKubernetesOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** Speak TLS with this certificate, PEM. Default: plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Requests need this bearer token. Default: none is asked for. */
  readonly token?: () => string;
  /** Keeps the ConfigMaps of a server before this one. Default: none exist. */
  readonly store?: ConfigMapStore;
}

/** A request that came. */
export interface ApiRequestRecord {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
}

/** A running fake of the Kubernetes API server: ConfigMaps only, over a real socket. */
export interface FakeKubernetes {
  readonly url: string;
  readonly port: number;
  readonly store: ConfigMapStore;
  /** All requests so far. */
  readonly requests: readonly ApiRequestRecord[];
  /** Watches that are open now, the oldest first. */
  readonly watches: readonly WatchStream[];
  /** Does this to the next list or watch that comes. */
  fail(verb: ApiVerb, fault: ApiFault): void;
  /** Stops to listen and cuts all connections. The store lives on. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a fake API server that speaks the real protocol: resource versions, field selectors, watches with bookmarks,
 * 409, 410, 429, discovery. What it doesn't have: other resources, managed fields, label selectors, paging.
 */
export async function startFakeKubernetes(options: FakeKubernetesOptions = {}): Promise<FakeKubernetes> {
  const store = options.store ?? new ConfigMapStore(() => Date.now());
  const faults = new ApiFaults();
  const requests: ApiRequestRecord[] = [];
  const watches: WatchStream[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request;
    requests.push({ method, url, authorization: headers.authorization });
    if (options.token !== undefined && headers.authorization !== `Bearer ${options.token()}`) {
      throw new StoreError({ status: 401, reason: 'Unauthorized', message: 'Unauthorized' });
    }
    const discovered = method === 'GET' ? discoveryAnswer(new URL(url, 'http://fake').pathname) : undefined;
    if (discovered !== undefined) return sendJson(response, 200, discovered);
    const asked = parseConfigMapRequest(method, url);
    if (asked === undefined)
      throw new StoreError({
        status: 404,
        reason: 'NotFound',
        message: 'the server could not find the requested resource',
      });
    const fault = isVerb(asked.verb) ? faults.take(asked.verb) : undefined;
    if (fault !== undefined) return applyFault(fault, response);
    await answerConfigMaps(asked, { request, response, store, watches, sendJson });
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => sendError(response, error));
  };
  const server: Server =
    options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    store,
    requests,
    watches,
    fail: (verb, fault) => faults.add(verb, fault),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function isVerb(verb: ConfigMapRequest['verb']): verb is ApiVerb {
  return verb === 'list' || verb === 'watch';
}

function applyFault(fault: ApiFault, response: ServerResponse): void {
  if (fault === 'hang') return;
  if (fault === 'drop') {
    response.destroy();
    return;
  }
  if (fault.retryAfterSeconds !== undefined)
    response.setHeader('retry-after', String(fault.retryAfterSeconds));
  sendJson(
    response,
    fault.status,
    statusObject({ status: fault.status, reason: 'Injected', message: `status ${fault.status} as scripted` }),
  );
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const known =
    error instanceof StoreError
      ? error
      : new StoreError({ status: 500, reason: 'InternalError', message: String(error) });
  sendJson(response, known.status, statusObject(known));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}
