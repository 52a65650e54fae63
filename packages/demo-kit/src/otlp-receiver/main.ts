import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

// A process of its own: takes OTLP/HTTP trace exports as JSON on loopback and appends each export as one line to a file.

/** Largest export taken, in bytes, before and after decompression. */
const MAX_BYTES = 16 * 1024 * 1024;

const file = process.argv[2];
if (file === undefined) {
  process.stderr.write('usage: node otlp-receiver/main.js FILE\n');
  process.exit(2);
}
const target: string = file;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) answer(response, 413, `export over ${MAX_BYTES} bytes`);
    else chunks.push(chunk);
  });
  request.on('end', () => {
    if (bytes <= MAX_BYTES) take(request, response, Buffer.concat(chunks));
  });
});

function take(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  if (request.method !== 'POST' || request.url !== '/v1/traces') {
    answer(response, 404, 'this receiver takes POST /v1/traces only');
    return;
  }
  if (!(request.headers['content-type'] ?? '').startsWith('application/json')) {
    answer(response, 415, 'set OTEL_EXPORTER_OTLP_PROTOCOL=http/json for this receiver');
    return;
  }
  try {
    const text =
      request.headers['content-encoding'] === 'gzip'
        ? gunzipSync(body, { maxOutputLength: MAX_BYTES })
        : body;
    // Parsed and printed again so that one export is one line, whatever its white space was.
    appendFileSync(target, `${JSON.stringify(JSON.parse(text.toString('utf8')))}\n`);
  } catch (error) {
    answer(response, 400, `not an OTLP/JSON export: ${(error as Error).message}`);
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}

function answer(response: ServerResponse, status: number, message: string): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'text/plain' }).end(`${message}\n`);
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ event: 'listening', listener: 'otlp', port })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
