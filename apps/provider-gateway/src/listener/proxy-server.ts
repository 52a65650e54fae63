import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  apiError,
  type OpenPort,
  type OpenPortOptions,
  openPort,
  RunningRequests,
  sendJson,
  UnroutedReport,
} from '@switchyard/gateway-kit';
import {
  type ClientErrorStatus,
  createHardenedServer,
  type ServerTlsOptions,
} from '@switchyard/proxy-core-http';
import type { DenialCode } from '../pipeline/denial.ts';
import { handleRequest } from '../pipeline/handle-request.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** What the control plane probes when a manifest names no other path. */
const HEALTH_PATH = '/health';

/** What the server answers by itself to bytes that never became a request. */
const UNREADABLE: Readonly<
  Record<ClientErrorStatus, { readonly code: DenialCode; readonly message: string }>
> = {
  400: { code: 'malformed_request', message: 'the request is not valid HTTP/1.1' },
  408: { code: 'request_timeout', message: 'the request did not arrive in time' },
  417: { code: 'expectation_failed', message: 'no expectation but 100-continue is met here' },
  429: { code: 'too_many_pipelined', message: 'too many requests were sent ahead on one connection' },
  431: { code: 'headers_too_large', message: 'the request head is longer than limits.headerBytes' },
};

/**
 * Opens the port that consumer gateways use; with `tls` every connection must show a trusted certificate.
 *
 * @throws ListenError when the address cannot be opened.
 */
export async function startProxyServer(
  pipeline: Pipeline,
  options: Omit<OpenPortOptions, 'running'> & { readonly tls: ServerTlsOptions | undefined },
): Promise<OpenPort> {
  const { config } = pipeline;
  const { tls, stopping } = options;
  const { lines, clock, metrics } = pipeline;
  const unrouted = new UnroutedReport({ lines, clock, count: (_, code) => metrics.refused(code) });
  let requests = 0;
  const running = new RunningRequests();
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (incoming.method === 'GET' && incoming.url === HEALTH_PATH) {
      const healthy = !stopping.aborted;
      sendJson(outgoing, healthy ? 200 : 503, JSON.stringify({ healthy }));
      return;
    }
    requests += 1;
    running.add(handleRequest(pipeline, { incoming, outgoing }, requests));
  };
  const server = createHardenedServer({
    onRequest,
    maxHeaderBytes: config.limits.headerBytes,
    requestMs: config.timeouts.requestMs,
    ...(tls === undefined ? {} : { tls }),
    clientErrorBody: (status) => ({
      contentType: 'application/json',
      body: apiError({ status, ...UNREADABLE[status], param: null }, { shape: 'openai' }).body,
    }),
    onClientError: (status, error) => unrouted.refused({ status, ...UNREADABLE[status] }, error),
  });
  return openPort(server, { ...options, running });
}
