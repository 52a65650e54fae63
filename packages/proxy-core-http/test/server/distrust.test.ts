import { rawHttp } from '@switchyard/test-kit';
import { afterEach, describe, expect, it } from 'vitest';
import type { ClientErrorStatus } from '../../src/index.ts';
import { CLOSING, type HardServer, startHardServer } from '../support/hard-server.ts';
import { openClient } from '../support/stream-client.ts';

let server: HardServer | undefined;
afterEach(() => server?.close());

describe('a request that two readers could take differently is refused, and what follows it is not read', () => {
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
  it.each([
    [
      'a coding before chunked',
      'POST /x HTTP/1.1',
      'Host: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'an empty element before chunked',
      'POST /x HTTP/1.1',
      'Host: a\r\nTransfer-Encoding: ,chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'an empty transfer-encoding beside a length',
      'POST /x HTTP/1.1',
      'Host: a\r\nTransfer-Encoding:\r\nContent-Length: 0\r\n\r\n',
    ],
    [
      'chunks in HTTP/1.0',
      'POST /x HTTP/1.0',
      'Host: a\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n',
    ],
    ['HTTP/2.0 in the words of 1.1', 'POST /x HTTP/2.0', 'Host: a\r\nContent-Length: 0\r\n\r\n'],
    ['two hosts', 'POST /x HTTP/1.1', 'Host: a\r\nHost: b\r\nContent-Length: 0\r\n\r\n'],
    ['the same host twice', 'POST /x HTTP/1.1', 'Host: a\r\nHOST: a\r\nContent-Length: 0\r\n\r\n'],
    ['an empty host', 'POST /x HTTP/1.1', 'Host:\r\nContent-Length: 0\r\n\r\n'],
    ['a host with a user', 'POST /x HTTP/1.1', 'Host: u@a\r\nContent-Length: 0\r\n\r\n'],
    ['a list of hosts', 'POST /x HTTP/1.1', 'Host: a,b\r\nContent-Length: 0\r\n\r\n'],
    ['a host with a blank', 'POST /x HTTP/1.1', 'Host: a b\r\nContent-Length: 0\r\n\r\n'],
    ['a host with a path', 'POST /x HTTP/1.1', 'Host: a/b\r\nContent-Length: 0\r\n\r\n'],
    ['a target for another host', 'POST http://b/x HTTP/1.1', 'Host: a\r\nContent-Length: 0\r\n\r\n'],
    ['a target for another port', 'POST http://a:81/x HTTP/1.1', 'Host: a\r\nContent-Length: 0\r\n\r\n'],
    ['a target with a user', 'POST http://u@a/x HTTP/1.1', 'Host: a\r\nContent-Length: 0\r\n\r\n'],
    ['a fragment', 'POST /x#/y HTTP/1.1', 'Host: a\r\nContent-Length: 0\r\n\r\n'],
  ])('%s', async (_name, line, rest) => {
    server = await startHardServer();
    const answer = await rawHttp(server.port, `${line}\r\n${rest}${smuggled}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer.toLowerCase()).toContain('connection: close\r\n');
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(server.seen).toEqual([]);
    expect(server.refusals).toEqual([400]);
  });

  it.each([
    [
      'upper case CHUNKED',
      'POST /x HTTP/1.1',
      `Host: a\r\n${CLOSING}Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n`,
    ],
    ['HTTP/1.0 without a host', 'POST /x HTTP/1.0', 'Content-Length: 0\r\n\r\n'],
    ['IPv6 with a port', 'GET /x HTTP/1.1', `Host: [::1]:8080\r\n${CLOSING}\r\n`],
    ['a name with an underscore', 'GET /x HTTP/1.1', `Host: my_gateway.local:80\r\n${CLOSING}\r\n`],
    ['a target in absolute form for this host', 'GET HTTP://A:80/x HTTP/1.1', `Host: a:80\r\n${CLOSING}\r\n`],
  ])('but not %s', async (_name, line, rest) => {
    server = await startHardServer();
    expect(await rawHttp(server.port, `${line}\r\n${rest}`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('pipelining', () => {
  const get = (path: string, last = false): string =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\n${last ? CLOSING : ''}\r\n`;

  it('is answered in order, however the answers become ready', async () => {
    server = await startHardServer({ hold: true });
    const answer = rawHttp(server.port, `${get('/1')}${get('/2')}${get('/3', true)}`);
    await server.held(3);
    for (const path of ['/3', '/1', '/2']) server.release(path);
    expect([...(await answer).matchAll(/saw (\/\d)/g)].map((match) => match[1])).toEqual(['/1', '/2', '/3']);
  });

  it('beyond maxPipelined is refused: one connection cannot keep any number of requests in flight', async () => {
    server = await startHardServer({ hold: true, maxPipelined: 2 });
    const answer = rawHttp(server.port, Array.from({ length: 50 }, (_, n) => get(`/${n}`)).join(''));
    await server.held(3);
    for (const path of ['/0', '/1', '/2']) server.release(path);
    const statuses = [...(await answer).matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
    expect(statuses).toEqual(['200', '200', '200', '429']);
    expect(server.seen).toEqual(['/0', '/1', '/2']);
    expect(server.refusals).toEqual([429] satisfies ClientErrorStatus[]);
  });

  it('within it may go on for ever: what was answered no longer counts', async () => {
    server = await startHardServer({ maxPipelined: 1 });
    const client = openClient(server.port);
    for (let n = 0; n < 40; n += 2) {
      client.socket.write(get(`/${n}`) + get(`/${n + 1}`));
      await client.heard(`saw /${n + 1}`);
    }
    expect(client.received.match(/HTTP\/1\.1 200/g)).toHaveLength(40);
    client.socket.destroy();
  });

  it.each([false, true])(
    'garbage behind a whole request does not spoil its answer (head sent before: %s)',
    async (headSent) => {
      server = await startHardServer({ hold: true });
      const client = openClient(server.port, get('/1'));
      await server.held(1);
      if (headSent) {
        server.begin('/1');
        await client.heard('begun');
      }
      client.socket.write('nonsense\r\n\r\n');
      // The answer to a second connection shows that the bytes of the first were read.
      await rawHttp(server.port, 'nonsense\r\n\r\n');
      server.release('/1');
      expect(await client.ended).toBe('end');
      expect(client.received).toMatch(/^HTTP\/1\.1 200 OK/);
      expect(client.received).toContain('saw /1');
      expect(client.received.match(/HTTP\/1\.1/g)).toHaveLength(1);
    },
  );
});
