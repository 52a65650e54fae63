import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { rawHttp, waitUntil } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, CHAT, getJson, STREAM } from '../support/client.ts';
import {
  type AccessLine,
  accessLines,
  lineSince,
  startGateway,
  type TestGateway,
} from '../support/gateway.ts';

let gateway: TestGateway;
let port: number;
beforeAll(async () => {
  gateway = await startGateway({ clusters: ['provider-a'], config: { timeouts: { requestMs: 1500 } } });
  port = gateway.app.port('proxy');
});
afterAll(() => gateway[Symbol.asyncDispose]());

const head = (...headers: string[]): string =>
  ['POST /v1/chat/completions HTTP/1.1', 'Host: x', ...headers].join('\r\n');
const whole = (body: string, ...headers: string[]): string =>
  `${head(`Content-Length: ${body.length}`, ...headers)}\r\n\r\n${body}`;

/** A socket and all that came back on it. */
function open(): { socket: Socket; text: () => string; closed: Promise<unknown> } {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  return { socket, text: () => text, closed: once(socket, 'close') };
}

const unrouted = (): AccessLine[] =>
  gateway.app.stdout
    .map((text) => JSON.parse(text) as AccessLine)
    .filter((line) => line['event'] === 'unrouted');

describe('a slow client', () => {
  it('whose head does not come to its end gets a 408 and is let go', async () => {
    const answer = await rawHttp(port, head('X: '));
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"code":"request_timeout"');
  });

  it('whose body does not come to its end gets a 408, and no provider is asked', async () => {
    const before = gateway.upstream('provider-a').requests.length;
    const answer = await rawHttp(port, `${head('Content-Length: 1000')}\r\n\r\n{`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(gateway.upstream('provider-a').requests.length).toBe(before);
    await waitUntil(() => accessLines(gateway).some((line) => line['outcome'] === 'canceled'));
  });

  it('that dribbles its body is bounded all the same', async () => {
    const { socket, text, closed } = open();
    socket.write(`${head('Content-Length: 1000')}\r\n\r\n`);
    const drip = setInterval(() => socket.write('{'), 50);
    await waitUntil(() => text().includes('408 '));
    clearInterval(drip);
    socket.end();
    await closed;
  });
});

describe('a client that sends ahead', () => {
  it('is answered in order, though the first answer takes longest', async () => {
    gateway.upstream('provider-a').next('slow:300');
    const answer = await rawHttp(
      port,
      whole(CHAT) +
        'GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n' +
        'GET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200', '200', '404']);
    expect(answer.indexOf('"choices"')).toBeLessThan(answer.indexOf('"object":"list"'));
  });

  it('a thousand requests has 17 of them served and is told so', async () => {
    gateway.upstream('provider-a').next('slow:300');
    const before = gateway.upstream('provider-a').requests.length;
    const answer = await rawHttp(port, whole(CHAT).repeat(1000));
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
    expect(statuses).toEqual([...Array<string>(17).fill('200'), '429']);
    expect(answer).toContain('"code":"too_many_pipelined"');
    expect(gateway.upstream('provider-a').requests.length - before).toBe(17);
  });
});

describe('a client that closes its half', () => {
  it('in the middle of its body is gone', async () => {
    const since = Date.now();
    const { socket, closed } = open();
    socket.end(`${head('Content-Length: 1000')}\r\n\r\n{`);
    await closed;
    expect(await lineSince(gateway, since)).toMatchObject({ status: 499, outcome: 'canceled' });
  });

  it('while it waits for a stream is taken for gone, and the provider is let go', async () => {
    const upstream = gateway.upstream('provider-a');
    upstream.next('pace:100');
    const { socket, text, closed } = open();
    socket.write(whole(STREAM));
    await waitUntil(() => text().includes('data: '));
    socket.end();
    await closed;
    expect(await upstream.requests.at(-1)?.over).toBe('aborted');
  });
});

describe('Expect', () => {
  it('100-continue is answered before the body comes, and not passed on', async () => {
    const { socket, text, closed } = open();
    socket.write(
      `${head(`Content-Length: ${CHAT.length}`, 'Expect: 100-continue', 'Connection: close')}\r\n\r\n`,
    );
    await waitUntil(() => text().startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    socket.write(CHAT);
    await waitUntil(() => text().includes('HTTP/1.1 200 OK'));
    socket.end();
    await closed;
    expect(gateway.upstream('provider-a').requests.at(-1)?.header('expect')).toBeUndefined();
  });

  it('of something else is a 417 in JSON, with a line and a count', async () => {
    const answer = await rawHttp(port, whole(CHAT, 'Expect: a-miracle'));
    expect(answer).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n/);
    expect(answer).toContain('"code":"expectation_failed"');
    await waitUntil(() => unrouted().some((line) => line['code'] === 'expectation_failed'));
    const metrics = await ask(gateway.app.port('admin'), { method: 'GET', path: '/metrics' });
    expect(metrics.text).toMatch(/^switchyard_unrouted_requests_total\{status="417"\} 1$/m);
  });
});

describe('CONNECT', () => {
  it('is refused in words, with a line, and tunnels nothing', async () => {
    const answer = await rawHttp(port, `CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n${whole(CHAT)}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    await waitUntil(() => unrouted().some((line) => line['reason'] === 'CONNECT is not served'));
  });
});

describe('the size of a head', () => {
  it('60 KiB reach the provider whole', async () => {
    const long = 'x'.repeat(60 * 1024);
    expect((await ask(port, { headers: { 'x-long': long } })).status).toBe(200);
    expect(gateway.upstream('provider-a').requests.at(-1)?.header('x-long')).toBe(long);
  });

  it('beyond 64 KiB is a 431 in JSON', async () => {
    const answer = await rawHttp(port, whole(CHAT, `X: ${'x'.repeat(70_000)}`));
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"code":"headers_too_large"');
  });

  it('2000 small headers are all passed on', async () => {
    const many = Array.from({ length: 2000 }, (_, n) => `X-${n}: ${n}`);
    expect(await rawHttp(port, whole(CHAT, ...many, 'Connection: close'))).toMatch(/^HTTP\/1\.1 200 /);
    expect(gateway.upstream('provider-a').requests.at(-1)?.header('x-1999')).toBe('1999');
  });
});

describe('what is answered without routing', () => {
  it('has a line that shows no query and little of what the client sent, and a count', async () => {
    const path = `/nothing/${'y'.repeat(300)}`;
    await ask(port, { method: 'GET', path: `${path}?key=secret` });
    await ask(port, { method: 'PUT', path: '/v1/chat/completions' });
    await rawHttp(port, 'nonsense\r\n\r\n');
    await waitUntil(() => unrouted().some((line) => line['reason'] === 'HPE_INVALID_METHOD'));
    const lines = unrouted();
    expect(lines.find((line) => line['path'] === path.slice(0, 100))).toMatchObject({
      method: 'GET',
      status: 404,
    });
    expect(lines.find((line) => line['method'] === 'PUT')).toMatchObject({
      path: '/v1/chat/completions',
      status: 405,
    });
    expect(lines.find((line) => line['reason'] === 'HPE_INVALID_METHOD')).toMatchObject({
      status: 400,
      code: 'malformed_request',
    });
    expect(gateway.app.stdout.join('\n')).not.toContain('secret');
    const metrics = await ask(gateway.app.port('admin'), { method: 'GET', path: '/metrics' });
    for (const status of [400, 404, 405, 408, 429, 431])
      expect(metrics.text).toMatch(
        new RegExp(`^switchyard_unrouted_requests_total\\{status="${status}"\\} [1-9]`, 'm'),
      );
  });

  it('leaves the gateway as it was', async () => {
    expect((await getJson(gateway.app.port('admin'), '/readyz')).status).toBe(200);
    expect((await ask(port)).status).toBe(200);
  });
});
