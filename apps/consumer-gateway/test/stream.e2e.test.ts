import http, { type IncomingMessage } from 'node:http';
import { startFaultUpstream, waitUntil } from '@switchyard/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, STREAM } from './support/client.ts';
import { lineSince, startGateway, type TestGateway } from './support/gateway.ts';

/** Opens a stream and hands it over once its head is here. */
function open(
  port: number,
  body = STREAM,
): Promise<{ request: http.ClientRequest; response: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const request = http.request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/chat/completions',
      headers,
    });
    request.on('error', reject);
    request.on('response', (response) => resolve({ request, response }));
    request.end(body);
  });
}

function nextChunk(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => response.once('data', resolve));
}

let shared: TestGateway;
beforeAll(async () => {
  shared = await startGateway({ clusters: ['provider-a', 'provider-b'], policy: 'deterministic' });
});
afterAll(() => shared[Symbol.asyncDispose]());
beforeEach(() => {
  shared.upstream('provider-a').reset();
  shared.upstream('provider-b').reset();
});

describe('a stream compared with the provider’s own', () => {
  const modes = ['ok', 'split', 'crlf', 'nodone', 'errevent', 'gzip', 'pace:5'] as const;

  it('is the same byte for byte, whatever it looks like', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a'] });
    // Both upstreams number their answers, so they are asked in step.
    await using direct = await startFaultUpstream({ name: 'provider-a' });
    for (const mode of modes) {
      direct.setMode(mode);
      gateway.upstream('provider-a').setMode(mode);
      const expected = await ask(direct.port, { body: STREAM });
      const through = await ask(gateway.app.port('proxy'), { body: STREAM });
      expect([mode, through.body.toString('latin1')]).toEqual([mode, expected.body.toString('latin1')]);
      expect(through.headers['content-type']).toBe(expected.headers['content-type']);
      expect(through.headers['content-encoding']).toBe(expected.headers['content-encoding']);
    }
  });
});

describe('a stream', () => {
  it('sends its first byte at once, long before the end', async () => {
    const gateway = shared;
    const since = Date.now();
    gateway.upstream('provider-a').setMode('stall:1');
    const { request, response } = await open(gateway.app.port('proxy'));
    expect((await nextChunk(response)).toString()).toMatch(/^data: /);
    request.destroy();
    // The next test looks at what the provider gets.
    await lineSince(gateway, since);
  });

  it.each(['hang', 'stall:0', 'stall:2', 'pace:200'] as const)(
    'that its client leaves in mode %s is aborted upstream and logged as 499',
    async (mode) => {
      const gateway = shared;
      const since = Date.now();
      const upstream = gateway.upstream('provider-a');
      upstream.setMode(mode);
      const request = http.request({
        port: gateway.app.port('proxy'),
        host: '127.0.0.1',
        method: 'POST',
        path: '/v1/chat/completions',
      });
      const first = new Promise<void>((resolve) => {
        request.on('response', (response) => response.once('data', () => resolve()));
      });
      request.on('error', () => undefined);
      request.end(STREAM);
      const received = await upstream.waitForRequest(1);
      if (mode === 'stall:2' || mode === 'pace:200') await first;
      const left = performance.now();
      request.destroy();
      expect(await received.over).toBe('aborted');
      expect(performance.now() - left).toBeLessThan(1000);
      const line = await lineSince(gateway, since);
      expect(line).toMatchObject({ status: 499, outcome: 'canceled', attempts: 1 });
      expect(Number(line['bytes']) > 0).toBe(mode === 'stall:2' || mode === 'pace:200');
      expect(gateway.upstream('provider-b').requests).toHaveLength(0);
    },
  );

  it('that falls silent is cut after timeouts.idleMs', async () => {
    await using gateway = await startGateway({
      clusters: ['provider-a'],
      config: { timeouts: { idleMs: 150 } },
    });
    gateway.upstream('provider-a').setMode('stall:1');
    await expect(ask(gateway.app.port('proxy'), { body: STREAM })).rejects.toThrow(/aborted|ECONNRESET/);
  });

  it('that never ends is cut after timeouts.totalMs', async () => {
    await using gateway = await startGateway({
      clusters: ['provider-a'],
      config: { timeouts: { totalMs: 200 } },
    });
    gateway.upstream('provider-a').setMode('pace:100');
    await expect(ask(gateway.app.port('proxy'), { body: STREAM })).rejects.toThrow(/aborted|ECONNRESET/);
  });

  it('in flight is finished before the process stops, and the next connection is refused', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a'] });
    const port = gateway.app.port('proxy');
    gateway.upstream('provider-a').setMode('pace:150');
    const { response } = await open(port);
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    gateway.app.signal('SIGTERM');
    await waitUntil(() => gateway.app.stderr.some((line) => line.includes('shutting down')));
    const readiness = await ask(gateway.app.port('admin'), { method: 'GET', path: '/readyz' });
    expect([readiness.status, readiness.text]).toEqual([503, expect.stringContaining('shutting down')]);
    await new Promise((resolve) => response.once('end', resolve));
    expect(response.complete).toBe(true);
    expect(Buffer.concat(chunks).toString()).toContain('data: [DONE]');
    expect(await gateway.app.exited).toEqual({ code: 0, signal: null });
    await expect(ask(port)).rejects.toThrow(/ECONNREFUSED/);
    expect(gateway.app.stdout.at(-1)).toContain('"event":"request"');
  });
});
