import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../support/client.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { received } from './support.ts';

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
