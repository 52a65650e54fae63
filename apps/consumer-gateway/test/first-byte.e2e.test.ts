import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, CHAT, STREAM } from './support/client.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    clusters: ['provider-a'],
    routing: { retry: { perTryFirstByteMs: 300, perTryUnstreamedFirstByteMs: 30_000 } },
  });
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe('the limit on the first byte', () => {
  it('is short for a stream, and leaves a whole answer the time that it takes to be made', async () => {
    gateway.upstream('provider-a').setMode('slow:1500');
    const port = gateway.app.port('proxy');
    expect((await ask(port, { body: CHAT })).status).toBe(200);
    const streamed = await ask(port, { body: STREAM });
    expect(streamed.status).toBe(504);
    expect(streamed.text).toContain('upstream_timeout');
  });

  it('is not that of a stream when "stream" stands somewhere else', async () => {
    const body = JSON.stringify({ model: 'demo-model', metadata: { stream: true }, messages: [] });
    expect((await ask(gateway.app.port('proxy'), { body })).status).toBe(200);
  });
});
