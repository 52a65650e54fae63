import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { drainServer, listen } from '@switchyard/gateway-kit';
import { createHardenedServer, discardBody } from '@switchyard/proxy-core-http';
import { errorBody } from '../answer/error-body.ts';
import { failureResponse } from '../answer/failure-response.ts';
import {
  badRequest,
  type GatewayFailure,
  internalFailure,
  malformedRequest,
  methodNotAllowed,
} from '../answer/gateway-failure.ts';
import { respondError } from '../answer/respond-error.ts';
import type { GatewayConfig } from '../config/config.ts';
import { handleRequest } from '../pipeline/handle-request.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { createPublicRoutes } from './public-routes.ts';
import { matchRoute, originForm, type ProxiedRoute } from './routes.ts';

/** The open port. */
export interface ProxyServer {
  readonly port: number;
  /** Stops to accept, lets running requests end, then resolves. The caller bounds the wait. */
  close(): Promise<void>;
}

/**
 * Opens the port that clients use. Proxied routes are recognised on the raw request, before any framework; the
 * few other paths go to Hono.
 * @throws ListenError when the address cannot be opened.
 */
export async function startProxyServer(config: GatewayConfig, pipeline: Pipeline): Promise<ProxyServer> {
  const others = getRequestListener(createPublicRoutes(pipeline.router).fetch, {
    overrideGlobalObjects: false,
    // Reached by a target or a host that no URL can be made of, and by what Hono's own handler let through.
    errorHandler: (error) => {
      if (error instanceof RequestError) return failureResponse(malformedRequest);
      pipeline.log.error({ err: error }, 'a request failed in the gateway');
      return failureResponse(internalFailure);
    },
  });
  let requests = 0;
  let closing = false;
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // A connection that outlives this request would keep a closing server open until its idle time is over.
    if (closing) outgoing.shouldKeepAlive = false;
    const target = originForm(incoming.url ?? '');
    const route = matchRoute(target);
    if (route === undefined) void others(incoming, outgoing);
    else if (incoming.method !== 'POST') refuseMethod(incoming, outgoing, route);
    else {
      incoming.url = target;
      requests += 1;
      void handleRequest(pipeline, { route, incoming, outgoing }, requests);
    }
  };
  const server: Server = createHardenedServer({
    onRequest,
    maxHeaderBytes: config.limits.headerBytes,
    clientErrorBody: (status) => ({
      contentType: 'application/json',
      body: errorBody(unreadable(status, config.limits.headerBytes), 'openai'),
    }),
  });
  const port = await listen(server, config.listen);
  return {
    port,
    close: () => {
      closing = true;
      return drainServer(server);
    },
  };
}

function refuseMethod(incoming: IncomingMessage, outgoing: ServerResponse, route: ProxiedRoute): void {
  discardBody(incoming);
  const { method = 'this method' } = incoming;
  const failure = methodNotAllowed({ method, path: route.path, use: 'POST', allow: 'POST' });
  respondError(outgoing, failure, { shape: route.errorShape });
}

/** What the server answers by itself to bytes that never became a request. */
function unreadable(status: 400 | 408 | 431, headerBytes: number): GatewayFailure {
  switch (status) {
    case 400:
      return malformedRequest;
    case 408:
      return badRequest('request_timeout', 'the request did not arrive in time', { status });
    case 431:
      return badRequest('headers_too_large', `the request head is longer than ${headerBytes} bytes`, {
        status,
      });
  }
}
