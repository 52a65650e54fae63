import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { hasOpenssl, localhostCertificate, rawHttp } from '@switchyard/test-kit';
import { afterEach, describe, expect, it } from 'vitest';
import { createHardenedServer, type HardenedServerOptions, ProxyHttpError } from '../../src/index.ts';
import { openClient, post } from '../support/stream-client.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

async function start(options: Partial<HardenedServerOptions> = {}): Promise<number> {
  const server = createHardenedServer({
    onRequest: (incoming, outgoing) => {
      incoming.resume();
      incoming.on('end', () => outgoing.end(`headers ${incoming.rawHeaders.length / 2}`));
    },
    ...options,
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const clientErrorBody = (status: number, error: Error) => ({
  contentType: 'application/json',
  body: JSON.stringify({ status, code: (error as Error & { code?: string }).code }),
});

describe('requests that cannot be trusted are refused with 400 and a closed connection', () => {
  it.each([
    [
      'content-length and transfer-encoding',
      'Host: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two content-lengths', 'Host: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc'],
    ['a content-length that is no number', 'Host: a\r\nContent-Length: 3x\r\n\r\nabc'],
    ['no host', 'X: 1\r\n\r\n'],
    ['a space before the colon', 'Host: a\r\nContent-Length : 3\r\n\r\nabc'],
    ['a folded header', 'Host: a\r\nX: 1\r\n 2\r\n\r\n'],
    ['a bare line feed', 'Host: a\nX: 1\n\n'],
    ['a bare carriage return', 'Host: a\r\nX: 1\rY: 2\r\n\r\n'],
    ['a chunk size that is none', 'Host: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
    ['an unknown transfer coding', 'Host: a\r\nTransfer-Encoding: gzip, chunked, x\r\n\r\n0\r\n\r\n'],
  ])('%s', async (_name, rest) => {
    const port = await start({ clientErrorBody });
    const answer = await rawHttp(port, `POST / HTTP/1.1\r\n${rest}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer.toLowerCase()).toContain('connection: close\r\n');
  });
});

describe('the size of a head', () => {
  it('above the limit is answered with 431 in the shape the caller wants', async () => {
    const port = await start({ maxHeaderBytes: 4096, clientErrorBody });
    const answer = await rawHttp(port, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(8192)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\nconnection: close\r\n/);
    expect(answer).toContain('content-type: application/json\r\n');
    expect(answer).toContain('\r\n\r\n{"status":431,"code":"HPE_HEADER_OVERFLOW"}');
  });

  it('60 KB of headers are fine by default', async () => {
    const port = await start();
    const answer = await rawHttp(
      port,
      `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: ${'x'.repeat(60_000)}\r\n\r\n`,
    );
    expect(answer).toContain('200 OK');
  });

  it('no header is dropped in silence for being one of many', async () => {
    const port = await start();
    const many = Array.from({ length: 3000 }, (_, i) => `x${i}: 1\r\n`).join('');
    const answer = await rawHttp(port, `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${many}\r\n`);
    expect(answer).toContain('headers 3002');
  });
});

describe('slow clients', () => {
  it('a head that does not come to its end is answered with 408', async () => {
    const port = await start({ headersMs: 200, clientErrorBody });
    const answer = await rawHttp(port, 'GET / HTTP/1.1\r\nHost: a\r\nX: ');
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('an idle connection is closed after keepAliveMs', async () => {
    const port = await start({ keepAliveMs: 100 });
    const client = openClient(port, post('{}'));
    await client.heard('200 OK');
    expect(await client.ended).toBe('end');
  });
});

describe('connections', () => {
  it('above maxConnections are closed on arrival', async () => {
    const port = await start({ maxConnections: 1 });
    const first = openClient(port, post('{}'));
    await first.heard('200 OK');
    const second = openClient(port, post('{}'));
    await second.ended;
    expect(second.received).toBe('');
    first.socket.destroy();
  });

  it.skipIf(!hasOpenssl())('TLS serves the same handler', async () => {
    const { cert, key, ca } = await localhostCertificate();
    const port = await start({ tls: { cert, key } });
    const status = await new Promise((resolve, reject) => {
      const outgoing = request({ port, host: '127.0.0.1', ca, servername: 'localhost', agent: false });
      outgoing.on('response', (incoming) => {
        incoming.resume();
        resolve(incoming.statusCode);
      });
      outgoing.on('error', reject).end();
    });
    expect(status).toBe(200);
  });
});

describe('options that cannot work', () => {
  it.each([
    [{ maxHeaderBytes: 0 }, 'maxHeaderBytes: found 0'],
    [{ headersMs: 5000, requestMs: 1000 }, 'headersMs: found 5000, expected at most requestMs'],
    [{ keepAliveMs: 1.5 }, 'keepAliveMs: found 1.5'],
  ])('%j', (options, message) => {
    const make = () => createHardenedServer({ onRequest: () => {}, ...options });
    expect(make).toThrow(ProxyHttpError);
    expect(make).toThrow(message);
  });
});
