import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { rawHttp } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, CHAT } from '../support/client.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

/** Answers every request with the same bytes, and keeps what it was sent. */
class ByteUpstream {
  answer = '';
  received = '';
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1');
      if (this.received.endsWith(CHAT)) socket.write(Buffer.from(this.answer, 'latin1'));
    });
  });

  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

const upstream = new ByteUpstream();
let gateway: TestGateway;
let port: number;
beforeAll(async () => {
  const url = `http://127.0.0.1:${await upstream.start()}`;
  gateway = await startGateway({
    clusters: ['provider-a'],
    config: { clusters: [{ name: 'provider-a', endpoints: [{ url }] }], responseHeaders: false },
  });
  port = gateway.app.port('proxy');
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.close();
});

/** One exchange on bare sockets, latin1 on both sides. */
async function exchange(
  answer: string,
  request: { readonly line?: string; readonly headers?: readonly string[] } = {},
): Promise<{ toProvider: string; toClient: string }> {
  upstream.received = '';
  upstream.answer = answer;
  const { line = 'POST /v1/chat/completions HTTP/1.1', headers = [] } = request;
  const head = [
    line,
    'Host: gateway.example',
    `Content-Length: ${CHAT.length}`,
    'Connection: close',
    ...headers,
  ];
  const toClient = await rawHttp(port, Buffer.from(`${head.join('\r\n')}\r\n\r\n${CHAT}`, 'latin1'), {
    encoding: 'latin1',
  });
  return { toProvider: upstream.received, toClient };
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

describe('a request reaches the provider', () => {
  it.each([
    '/v1/chat/completions?a=%2F%2f&b=+%20&c&&d=%zz',
    '/v1/chat/completions?',
    '/v1/chat/completions?api-version=2024-10-21&x=a;b',
  ])('with path and query as typed: %s', async (target) => {
    const { toProvider } = await exchange(OK, { line: `POST ${target} HTTP/1.1` });
    expect(toProvider.split('\r\n', 1)).toEqual([`POST ${target} HTTP/1.1`]);
  });

  it('without the keys in its query, and with all else of it as typed', async () => {
    const line = 'POST /v1/chat/completions?a=%2f&key=AIza-secret&b=+&access_token=secret HTTP/1.1';
    const { toProvider } = await exchange(OK, { line });
    expect(toProvider.split('\r\n', 1)).toEqual(['POST /v1/chat/completions?a=%2f&b=+ HTTP/1.1']);
    expect(toProvider).not.toContain('secret');
  });

  it('with header names, duplicates, order and bytes above ASCII as sent, for its own host', async () => {
    const headers = ['X-Lab: caf\xe9', 'x-TWICE: 1', 'X-Empty: ', 'x-twice: 2', 'OpenAI-Beta: a=b'];
    const { toProvider } = await exchange(OK, { headers });
    expect(toProvider).toContain(
      'X-Lab: caf\xe9\r\nx-TWICE: 1\r\nX-Empty: \r\nx-twice: 2\r\nOpenAI-Beta: a=b\r\n',
    );
    expect(toProvider).not.toContain('gateway.example');
    expect(toProvider.match(/^host:/gim)).toHaveLength(1);
  });

  it('without what Connection nominates, and with Via as the only forwarding header of its own', async () => {
    const { toProvider } = await exchange(OK, {
      headers: ['Connection: X-Hop', 'X-Hop: secret', 'Keep-Alive: 9', 'TE: trailers', 'Trailer: X-Sum'],
    });
    expect(toProvider).not.toMatch(/^(x-hop|keep-alive|te|trailer|forwarded|x-forwarded-[a-z]+):/im);
    expect(toProvider).toMatch(/^via: 1\.1 switchyard-[0-9a-f-]{36}\r$/im);
  });
});

describe('an answer reaches the client', () => {
  it('with names, duplicates, order and bytes above ASCII as sent', async () => {
    const lines = [
      'Set-Cookie: b=2',
      'X-Lab: caf\xe9',
      'set-cookie: a=1',
      'Set-Cookie: b=3',
      'x-request-id: P-1',
    ];
    const { toClient } = await exchange(
      `HTTP/1.1 200 Fine\r\n${lines.join('\r\n')}\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(toClient).toMatch(/^HTTP\/1\.1 200 Fine\r\n/);
    expect(toClient).toContain(`${lines.join('\r\n')}\r\n`);
  });

  it.each(['100 Continue', '102 Processing', '103 Early Hints'])(
    'after a %s, which is not taken for it',
    async (status) => {
      const early = `HTTP/1.1 ${status}\r\nLink: </x>\r\n\r\n`;
      const { toClient } = await exchange(early + OK, { headers: ['Expect: 100-continue'] });
      expect(toClient.replace('HTTP/1.1 100 Continue\r\n\r\n', '')).toMatch(
        status === '100 Continue' ? /^HTTP\/1\.1 (200|502) / : /^HTTP\/1\.1 200 OK\r\n/,
      );
    },
  );

  it('without trailers and their announcement', async () => {
    const { toClient } = await exchange(
      'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n',
    );
    expect(toClient).not.toContain('X-Sum');
    expect(toClient).toMatch(/\r\n2\r\n\{\}\r\n0\r\n\r\n$/);
  });

  it.each(['204 No Content', '304 Not Modified'])('as a %s without body or framing', async (status) => {
    const { toClient } = await exchange(`HTTP/1.1 ${status}\r\nX-A: 1\r\n\r\n`);
    expect(toClient).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n`));
    expect(toClient).not.toMatch(/^(content-length|transfer-encoding):/im);
    expect(toClient.endsWith('\r\n\r\n')).toBe(true);
  });
});

describe('what the gateway answers itself', () => {
  it('HEAD of the models has the head of GET and no body', async () => {
    const answer = await rawHttp(port, 'HEAD /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
  });

  it('OPTIONS of a route is a 405 that names its methods, and allows no origin', async () => {
    const head = 'OPTIONS /v1/chat/completions HTTP/1.1\r\nHost: x\r\nOrigin: https://page.example\r\n';
    const answer = await rawHttp(port, `${head}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 405 .*\r\n/);
    expect(answer).toMatch(/^allow: POST\r$/im);
    expect(answer).not.toMatch(/^access-control-allow-origin:/im);
  });

  it('a trailing slash is another path, and the 404 names the near one', async () => {
    const reply = await ask(port, { path: '/v1/chat/completions/' });
    expect(reply.status).toBe(404);
    expect(reply.text).toContain('did you mean /v1/chat/completions');
  });

  it('keeps a client’s connection 65 seconds, longer than load balancers do', async () => {
    upstream.received = '';
    upstream.answer = OK;
    const { headers } = await ask(port, { headers: { connection: 'keep-alive' } });
    expect(headers['keep-alive']).toBe('timeout=65');
  });
});
