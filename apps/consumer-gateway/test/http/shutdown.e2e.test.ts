import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { type AppProcess, startApp, tempDir, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { startBalancer } from '../support/balancer.ts';
import { ask, STREAM } from '../support/client.ts';
import { accessLines, startGateway } from '../support/gateway.ts';

const logged = (app: AppProcess, message: string): boolean =>
  app.stderr.some((line) => line.includes(`"msg":"${message}`));

describe('a gateway that is told to stop', { timeout: 60_000 }, () => {
  it('is not ready at once, and serves on for delayMs while every answer asks to come back elsewhere', async () => {
    await using gateway = await startGateway({ config: { shutdown: { delayMs: 3000, drainMs: 1000 } } });
    const { app } = gateway;
    const agent = new http.Agent({ keepAlive: true });
    expect((await ask(app.port('proxy'), { agent })).headers.connection).toBe('keep-alive');
    app.signal('SIGTERM');
    await waitUntil(() => logged(app, 'shutting down'));
    const ready = await ask(app.port('admin'), { method: 'GET', path: '/readyz' });
    expect(ready.status).toBe(503);
    expect(ready.text).toContain('shutting down');
    expect((await ask(app.port('admin'), { method: 'GET', path: '/livez' })).status).toBe(200);
    const late = await ask(app.port('proxy'), { agent });
    expect([late.status, late.headers.connection]).toEqual([200, 'close']);
    expect(await app.exited).toEqual({ code: 0, signal: null });
    agent.destroy();
  });

  it('cuts off a stream that outlives drainMs, lets the provider go, tells of it and ends with 0', async () => {
    await using gateway = await startGateway({
      clusters: ['provider-a'],
      config: { shutdown: { delayMs: 0, drainMs: 300 } },
    });
    const { app } = gateway;
    const upstream = gateway.upstream('provider-a');
    upstream.setMode('stall:2');
    const cut = ask(app.port('proxy'), { body: STREAM }).catch((error: unknown) => error);
    const request = await upstream.waitForRequest();
    app.signal('SIGTERM');
    expect(await cut).toMatchObject({ code: 'ECONNRESET' });
    expect(await app.exited).toEqual({ code: 0, signal: null });
    expect(await request.over).toBe('aborted');
    expect(logged(app, 'connections were cut off')).toBe(true);
    expect(accessLines(gateway).at(-1)).toMatchObject({ outcome: 'canceled', status: 499 });
  });

  it('ends at once at the second signal', async () => {
    await using gateway = await startGateway({
      clusters: ['provider-a'],
      config: { shutdown: { delayMs: 0, drainMs: 3_600_000 } },
    });
    const { app } = gateway;
    gateway.upstream('provider-a').setMode('stall:2');
    const cut = ask(app.port('proxy'), { body: STREAM }).catch((error: unknown) => error);
    await gateway.upstream('provider-a').waitForRequest();
    app.signal('SIGTERM');
    await waitUntil(() => logged(app, 'shutting down'));
    app.signal('SIGTERM');
    expect(await app.exited).toEqual({ code: 143, signal: null });
    expect(await cut).toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('two gateways behind a balancer', () => {
  const RESTARTS = 20;
  const CLIENTS = 6;

  it(`are restarted ${RESTARTS} times in turn, and no request fails`, { timeout: 400_000 }, async () => {
    await using gateway = await startGateway({ clusters: ['provider-a', 'provider-b'] });
    await using dir = await tempDir();
    const { configFile } = gateway.app;
    const base = JSON.parse(await readFile(configFile, 'utf8')) as Record<string, unknown>;
    const config = {
      ...base,
      routing: { overlayFile: gateway.overlayFile },
      shutdown: { delayMs: 1000, drainMs: 60_000 },
    };
    const start = (): Promise<AppProcess> =>
      startApp({ app: 'consumer-gateway', config, configDir: dir.path });
    const balancer = await startBalancer();
    const apps = [await start(), await start()];
    const aim = (): void =>
      balancer.setTargets(apps.map((app) => ({ proxy: app.port('proxy'), admin: app.port('admin') })));
    aim();
    for (const name of ['provider-a', 'provider-b']) gateway.upstream(name).setMode('pace:10');

    let running = true;
    const failures: unknown[] = [];
    let served = 0;
    const client = async (n: number): Promise<void> => {
      // Half of the clients keep their connections, as SDKs do.
      const agent = new http.Agent({ keepAlive: n % 2 === 0, maxSockets: 1 });
      while (running) {
        try {
          const reply = await ask(balancer.port, n % 3 === 0 ? { agent, body: STREAM } : { agent });
          if (reply.status !== 200) throw new Error(`status ${reply.status}: ${reply.text}`);
          if (n % 3 === 0 && !reply.text.endsWith('data: [DONE]\n\n'))
            throw new Error('a stream was cut short');
          served += 1;
        } catch (error) {
          failures.push(error);
        }
      }
      agent.destroy();
    };
    await waitUntil(async () => (await ask(balancer.port).catch(() => undefined))?.status === 200);
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
    try {
      for (let n = 0; n < RESTARTS; n++) {
        const at = n % 2;
        const old = apps[at];
        if (old === undefined) throw new Error('no gateway to restart');
        expect(await old.stop()).toBe(0);
        const fresh = await start();
        apps[at] = fresh;
        aim();
        // The next one is taken away only once this one gets traffic.
        await waitUntil(() => (balancer.given.get(fresh.port('proxy')) ?? 0) > 2, { timeoutMs: 30_000 });
      }
    } finally {
      running = false;
      await clients;
      balancer.close();
      await Promise.all(apps.map((app) => app.stop()));
    }
    expect(failures).toEqual([]);
    expect(served).toBeGreaterThan(RESTARTS * CLIENTS);
  });
});
