import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { API_ROUTES } from '@switchyard/gateway-kit';
import { startFaultUpstream } from '@switchyard/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, CHAT, STREAM } from '../support/client.ts';
import { open, received } from '../support/exchange.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { candidate } from '../support/overlay.ts';

describe('connections that the provider closes while idle', () => {
  let gateway: TestGateway;
  let port: number;
  beforeAll(async () => {
    gateway = await startGateway({ clusters: ['provider-a', 'provider-b'], policy: 'deterministic' });
    port = gateway.app.ports.proxy ?? 0;
  });
  afterAll(() => gateway[Symbol.asyncDispose]());
  beforeEach(() => {
    gateway.upstream('provider-a').reset();
    gateway.upstream('provider-b').reset();
  });

  it('after 50 ms cost no request, also when one comes in that very moment (B113)', async () => {
    gateway.upstream('provider-a').setMode('idle:50');
    for (let n = 0; n < 80; n++) {
      expect((await ask(port)).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 47 + (n % 8)));
    }
    // The same provider answers, on a new connection: nobody's conversation changes its provider.
    expect(received(gateway, ['provider-b'])).toEqual([0]);
  });

  it('right after each answer cost no request, and the same provider answers (B115, B116)', async () => {
    gateway.upstream('provider-a').setMode('idle:0');
    for (let n = 0; n < 200; n++) expect((await ask(port)).status).toBe(200);
    expect(received(gateway, ['provider-b'])).toEqual([0]);
  });
});

describe('health pages', () => {
  it('answer at once while every provider hangs, and ask nobody (B122)', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a'] });
    const { proxy = 0, admin = 0 } = gateway.app.ports;
    gateway.upstream('provider-a').setMode('hang');
    const waiting = Array.from({ length: 20 }, () => ask(proxy).catch(() => undefined));
    await gateway.upstream('provider-a').waitForRequest(20);
    expect((await ask(admin, { method: 'GET', path: '/livez' })).status).toBe(200);
    expect((await ask(admin, { method: 'GET', path: '/readyz' })).status).toBe(200);
    expect(received(gateway, ['provider-a'])).toEqual([20]);
    await gateway.upstream('provider-a').close();
    await Promise.all(waiting);
  });

  it('answer while a body of 40 MB is read (B121)', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a'] });
    const { proxy = 0, admin = 0 } = gateway.app.ports;
    const body = JSON.stringify({ messages: [], padding: 'x'.repeat(40_000_000), model: 'demo-model' });
    const large = ask(proxy, { body });
    for (let n = 0; n < 10; n++)
      expect((await ask(admin, { method: 'GET', path: '/livez' })).status).toBe(200);
    expect((await large).status).toBe(200);
  });
});

/** Every route that takes the usual body. */
const JSON_ROUTES = API_ROUTES.map(({ path }) => path).filter(
  (path) => path !== '/mcp' && !path.includes('{') && !path.startsWith('/v1/audio/tran'),
);

describe('a client that leaves', () => {
  let gateway: TestGateway;
  let port: number;
  beforeAll(async () => {
    gateway = await startGateway({ clusters: ['provider-a'], routing: { viability: { enabled: false } } });
    port = gateway.app.ports.proxy ?? 0;
  });
  afterAll(() => gateway[Symbol.asyncDispose]());
  beforeEach(() => gateway.upstream('provider-a').reset());

  it.each(JSON_ROUTES)(
    'in the middle of a stream of %s stops the provider’s work (B65, B68)',
    async (path) => {
      gateway.upstream('provider-a').setMode('pace:150');
      const stream = await open(port, STREAM, { path });
      await stream.next();
      stream.leave();
      await expect(gateway.upstream('provider-a').requests[0]?.over).resolves.toBe('aborted');
    },
  );

  it.each(JSON_ROUTES)('before the first byte of %s stops the provider’s work (B67, B68)', async (path) => {
    gateway.upstream('provider-a').setMode('hang');
    const leaving = new AbortController();
    const opening = open(port, CHAT, { path, signal: leaving.signal });
    const request = await gateway.upstream('provider-a').waitForRequest(1);
    leaving.abort();
    await expect(opening).rejects.toThrow();
    await expect(request.over).resolves.toBe('aborted');
  });
});

describe('a provider that never answers', () => {
  it('times out to the other one, and two hundred such requests do not hold up anybody else (B70)', async () => {
    await using gateway = await startGateway({
      candidates: [candidate('provider-a', { name: 'slow' }), candidate('provider-b')],
      clusters: ['provider-a', 'provider-b'],
      routing: { retry: { perTryFirstByteMs: 1_500 }, viability: { enabled: false } },
    });
    const port = gateway.app.ports.proxy ?? 0;
    gateway.upstream('provider-a').setMode('hang');
    const body = JSON.stringify({ model: 'slow', messages: [] });
    const slow = Array.from({ length: 200 }, () => ask(port, { body }));
    await gateway.upstream('provider-a').waitForRequest(50);
    for (let n = 0; n < 10; n++) expect((await ask(port)).status).toBe(200);
    for (const reply of await Promise.all(slow)) expect(reply.status).toBe(504);
  });
});

describe('several processes behind one address', () => {
  it('get what their connections bring; with an endpoint each they get exact halves (B04)', async () => {
    await using one = await startFaultUpstream({ name: 'one' });
    await using two = await startFaultUpstream({ name: 'two' });
    const processes = [one, two] as const;
    const sockets = new Set<Socket>();
    let connection = 0;
    const balancer = createServer((client) => {
      const chosen = connection++ % 2 === 0 ? one : two;
      const provider = connect(chosen.port, '127.0.0.1');
      client.pipe(provider).pipe(client);
      for (const socket of [client, provider]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
      }
    });
    await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
    const served = async (urls: readonly string[]): Promise<number[]> => {
      for (const upstream of processes) upstream.reset();
      const endpoints = urls.map((url) => ({ url }));
      await using gateway = await startGateway({
        config: { clusters: [{ name: 'provider-a', endpoints }] },
        candidates: [candidate('provider-a')],
      });
      for (let n = 0; n < 40; n++) expect((await ask(gateway.app.port('proxy'))).status).toBe(200);
      return processes.map((upstream) => upstream.requests.length);
    };
    const behind = await served([address]);
    expect(behind[0] ?? 0).toBe(40 - (behind[1] ?? 0));
    expect(await served([one.origin, two.origin])).toEqual([20, 20]);
    balancer.close();
    for (const socket of sockets) socket.destroy();
  });
});
