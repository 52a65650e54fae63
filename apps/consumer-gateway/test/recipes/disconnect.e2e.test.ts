import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, CHAT, STREAM } from '../support/client.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { candidate } from '../support/overlay.ts';
import { open } from './support.ts';

const JSON_ROUTES = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/messages',
] as const;

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
