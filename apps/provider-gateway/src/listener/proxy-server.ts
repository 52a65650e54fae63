import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type OpenPort,
  type OpenPortOptions,
  openAiError,
  openPort,
  RunningRequests,
  sendJson,
} from '@switchyard/gateway-kit';
import { createHardenedServer, type ServerTlsOptions } from '@switchyard/proxy-core-http';
import { handleRequest } from '../pipeline/handle-request.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** What the control plane probes when a manifest names no other path. */
const HEALTH_PATH = '/health';

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
    ...(tls === undefined ? {} : { tls }),
    clientErrorBody: (status) => ({
      contentType: 'application/json',
      body: openAiError({
        status,
        message: 'the request could not be read as HTTP/1.1',
        type: 'invalid_request_error',
        code: 'malformed_request',
        param: null,
      }).body,
    }),
  });
  return openPort(server, { ...options, running });
}
