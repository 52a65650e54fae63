import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import {
  type ApiRoute,
  apiError,
  type OpenPort,
  type OpenPortOptions,
  openPort,
  RunningRequests,
  UnroutedReport,
} from '@switchyard/gateway-kit';
import { type ClientErrorStatus, createHardenedServer, discardBody } from '@switchyard/proxy-core-http';
import { failureResponse } from '../answer/failure-response.ts';
import {
  badRequest,
  type GatewayFailure,
  internalFailure,
  malformedRequest,
  methodNotAllowed,
} from '../answer/gateway-failure.ts';
import { respondError } from '../answer/respond-error.ts';
import { handleRequest } from '../pipeline/handle-request.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { createPublicRoutes } from './public-routes.ts';
import { matchRoute, originForm } from './routes.ts';

/**
 * Opens the port that clients use. Proxied routes are recognised on the raw request, before any framework; the
 * few other paths go to Hono.
 * @throws ListenError when the address cannot be opened.
 */
export async function startProxyServer(
  pipeline: Pipeline,
  options: Omit<OpenPortOptions, 'running'> & { readonly headerBytes: number; readonly requestMs: number },
): Promise<OpenPort> {
  const { headerBytes, requestMs } = options;
  const { lines, clock, metrics } = pipeline;
  const unrouted = new UnroutedReport({ lines, clock, count: (status) => metrics.unroutedAnswered(status) });
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
  const running = new RunningRequests();
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const target = originForm(incoming.url ?? '');
    const matched = matchRoute(target);
    if (matched !== undefined && takes(matched.route, incoming.method)) {
      incoming.url = target;
      requests += 1;
      running.add(handleRequest(pipeline, { ...matched, incoming, outgoing }, requests));
      return;
    }
    unrouted.follow(incoming, outgoing);
    if (matched === undefined) void others(incoming, outgoing);
    else refuseMethod(incoming, outgoing, matched.route);
  };
  const server: Server = createHardenedServer({
    onRequest,
    maxHeaderBytes: headerBytes,
    requestMs,
    clientErrorBody: (status) => ({
      contentType: 'application/json',
      body: apiError(unreadable(status, headerBytes), { shape: 'openai' }).body,
    }),
    onClientError: (status, error) => unrouted.refused(unreadable(status, headerBytes), error),
  });
  return openPort(server, { ...options, running });
}

function takes({ methods }: ApiRoute, method: string | undefined): boolean {
  return (methods as readonly (string | undefined)[]).includes(method);
}

function refuseMethod(incoming: IncomingMessage, outgoing: ServerResponse, route: ApiRoute): void {
  discardBody(incoming);
  const { method = 'this method' } = incoming;
  const { path, methods } = route;
  const failure = methodNotAllowed({ method, path, use: methods.join(' or '), allow: methods.join(', ') });
  respondError(outgoing, failure, { shape: route.errorShape });
}

/** What the server answers by itself to bytes that never became a request. */
function unreadable(status: ClientErrorStatus, headerBytes: number): GatewayFailure {
  switch (status) {
    case 400:
      return malformedRequest;
    case 408:
      return badRequest('request_timeout', 'the request did not arrive in time', { status });
    case 417:
      return badRequest('expectation_failed', 'no expectation but 100-continue is met here', { status });
    case 429:
      return badRequest(
        'too_many_pipelined',
        'too many requests wait for an earlier answer on this connection',
        {
          status,
        },
      );
    case 431:
      return badRequest('headers_too_large', `the request head is longer than ${headerBytes} bytes`, {
        status,
      });
  }
}
