import type { IncomingMessage, ServerResponse } from 'node:http';
import { drainServer, listen, openAiError, sendJson } from '@switchyard/gateway-kit';
import { createHardenedServer, type ServerTlsOptions } from '@switchyard/proxy-core-http';
import { handleRequest } from '../pipeline/handle-request.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** The port that consumer gateways use. */
export interface ProxyServer {
  readonly port: number;
  /** Stops to accept, lets running requests end, then resolves. */
  close(): Promise<void>;
}

/** What the control plane probes when a manifest names no other path. */
const HEALTH_PATH = '/health';

/**
 * Opens the port that consumer gateways use; with `tls` every connection must show a trusted certificate.
 *
 * @throws ListenError when the address cannot be opened.
 */
export async function startProxyServer(
  pipeline: Pipeline,
  tls: ServerTlsOptions | undefined,
): Promise<ProxyServer> {
  const { config } = pipeline;
  let requests = 0;
  let closing = false;
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // A connection that outlives this request would keep a closing server open until its idle time is over.
    if (closing) outgoing.shouldKeepAlive = false;
    if (incoming.method === 'GET' && incoming.url === HEALTH_PATH) {
      sendJson(outgoing, closing ? 503 : 200, JSON.stringify({ healthy: !closing }));
      return;
    }
    requests += 1;
    void handleRequest(pipeline, { incoming, outgoing }, requests);
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
  const port = await listen(server, config.listen);
  return {
    port,
    close() {
      closing = true;
      return drainServer(server);
    },
  };
}
