import { createServer, type IncomingMessage } from 'node:http';
import { closeServer, listen } from '../../src/index.ts';

/** One export as it arrived. */
export interface ReceivedExport {
  readonly url: string;
  readonly contentType: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A span of an OTLP/JSON export, the parts that tests look at. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
}

/** A collector that keeps what it is sent. */
export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly exports: ReceivedExport[];
  /** All spans of JSON exports so far. */
  spans(): ReceivedSpan[];
  /** The resource attributes of the first JSON export. */
  resource(): Record<string, unknown>;
}

interface OtlpDocument {
  readonly resourceSpans: {
    readonly resource: {
      readonly attributes: { readonly key: string; readonly value: { readonly stringValue?: string } }[];
    };
    readonly scopeSpans: { readonly spans: ReceivedSpan[] }[];
  }[];
}

/** Starts a collector on a free port. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const exports: ReceivedExport[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      exports.push({ url, headers, contentType: headers['content-type'] ?? '', body: Buffer.concat(chunks) });
      response.writeHead(200, { 'content-type': headers['content-type'] ?? '' });
      response.end(headers['content-type'] === 'application/json' ? '{}' : '');
    });
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  const documents = (): OtlpDocument[] =>
    exports.map(({ body }) => JSON.parse(body.toString()) as OtlpDocument);
  return {
    url: `http://127.0.0.1:${port}`,
    exports,
    spans: () =>
      documents().flatMap((one) => one.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans))),
    resource: () => {
      const attributes = documents()[0]?.resourceSpans[0]?.resource.attributes ?? [];
      return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
    },
    [Symbol.asyncDispose]: () => closeServer(server, 0),
  };
}
