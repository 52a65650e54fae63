import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { waitUntil } from '@switchyard/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, CHAT, STREAM } from '../support/client.ts';
import { open, residentMiB } from '../support/exchange.ts';
import { accessLines, startGateway, type TestGateway } from '../support/gateway.ts';
import { startOwnProvider } from '../support/own-provider.ts';

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('what a provider streams', () => {
  let gateway: TestGateway;
  let port: number;
  let admin: number;
  beforeAll(async () => {
    gateway = await startGateway({ clusters: ['provider-a'], routing: { viability: { enabled: false } } });
    port = gateway.app.ports.proxy ?? 0;
    admin = gateway.app.ports.admin ?? 0;
  });
  afterAll(() => gateway[Symbol.asyncDispose]());
  beforeEach(() => gateway.upstream('provider-a').reset());
  const mode = (name: Parameters<ReturnType<TestGateway['upstream']>['setMode']>[0]): void =>
    gateway.upstream('provider-a').setMode(name);

  it('is not collected into larger pieces: each event comes when it was sent (B52, B53)', async () => {
    mode('pace:120');
    const stream = await open(port, STREAM);
    // Were pieces collected, the first would hold several events, or wait for the end.
    for (let n = 0; n < 4; n++) expect(String(await stream.next()).match(/^data: /gm)).toHaveLength(1);
    stream.leave();
  });

  it('keeps comments, CRLF, ids, event names and data of many lines, byte for byte (B59)', async () => {
    mode('crlf');
    const direct = await ask(gateway.upstream('provider-a').port, { body: STREAM });
    const proxied = await ask(port, { body: STREAM });
    const serial = (text: string): string => text.replace(/chatcmpl-provider-a-\d+/g, 'chatcmpl');
    expect(serial(proxied.text)).toBe(serial(direct.text));
    expect(proxied.text).toContain('event: note\r\ndata: line one\r\ndata: line two\r\n');
  });

  it('without [DONE] ends without [DONE]: nothing is added (B62)', async () => {
    mode('nodone');
    const reply = await ask(port, { body: STREAM });
    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain('[DONE]');
    expect(reply.text).toContain('"finish_reason":"stop"');
    const line = await waitUntil(() =>
      accessLines(gateway).findLast((one) => one['bytes'] === reply.body.length),
    );
    expect(line).toMatchObject({ outcome: 'success', status: 200 });
  });

  it('in gzip stays in gzip, to its last byte (B109)', async () => {
    mode('gzip');
    const direct = await ask(gateway.upstream('provider-a').port, { body: STREAM });
    const proxied = await ask(port, { body: STREAM });
    expect(proxied.headers['content-encoding']).toBe('gzip');
    // Ids differ by one digit, so the lengths are compared and the content decoded.
    expect(gunzipSync(proxied.body).toString().trimEnd().endsWith('data: [DONE]')).toBe(true);
    expect(gunzipSync(direct.body).length).toBe(gunzipSync(proxied.body).length);
  });

  it('as a compressed answer of one piece is untouched (B112)', async () => {
    mode('gzip');
    const reply = await ask(port, { body: CHAT });
    expect(reply.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(reply.body).toString())).toMatchObject({ object: 'chat.completion' });
  });

  it('in truncated gzip is delivered as far as it came (B110)', async () => {
    mode('gztrunc');
    const reply = await ask(port, { body: STREAM });
    expect(reply.body.length).toBeGreaterThan(0);
  });

  it('in gzip that breaks off is delivered so far, and then visibly broken, never empty (B110)', async () => {
    const half = gzipSync(Buffer.from(STREAM.repeat(200))).subarray(0, 60);
    await using provider = await startOwnProvider((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.write(half, () => response.destroy());
    });
    await using broken = await startGateway({
      config: { clusters: [{ name: 'provider-a', endpoints: provider.endpoints }] },
    });
    const stream = await open(broken.app.port('proxy'), STREAM);
    expect(await stream.next()).toEqual(half);
    await expect(stream.rest()).rejects.toThrow(/aborted|ECONNRESET/);
  });

  it('shorter than its content-length is a broken transfer, never a clean 200 (B64)', async () => {
    mode('shortcl');
    const stream = await open(port, CHAT);
    await expect(stream.rest()).rejects.toThrow(/aborted|ECONNRESET/);
  });

  it('as 300 KB of JSON is whole, every time (B64)', async () => {
    mode('big:300000');
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask(port, { body: CHAT })));
    for (const reply of replies) {
      expect(reply.body.length).toBe(300_000);
      expect(JSON.parse(reply.text)).toMatchObject({ object: 'chat.completion' });
    }
  });

  it('as 20 MB goes through in constant memory (B86)', async () => {
    mode('big:20000000');
    await ask(port, { body: CHAT });
    const before = await residentMiB(gateway.app.pid);
    const replies = await Promise.all(Array.from({ length: 4 }, () => ask(port, { body: CHAT })));
    const after = await residentMiB(gateway.app.pid);
    expect(replies.map(({ body }) => body.length)).toEqual([20e6, 20e6, 20e6, 20e6]);
    expect(new Set(replies.map(({ body }) => sha(body.subarray(100)))).size).toBe(1);
    expect(after - before).toBeLessThan(60);
  });

  it('without a line break to a client that does not read grows no memory, and holds the provider back (B61)', async () => {
    mode('flood:4000');
    const before = await residentMiB(gateway.app.pid);
    const stream = await open(port, STREAM);
    await stream.next();
    // Nothing more is read: whatever the provider can send now lies in buffers.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const after = await residentMiB(gateway.app.pid);
    stream.leave();
    // Of the 250 MB that the provider has to send.
    expect(after - before).toBeLessThan(60);
    await expect(gateway.upstream('provider-a').requests[0]?.over).resolves.toBe('aborted');
  });

  it('as a flood to one client leaves health checks and other requests alive (B55)', async () => {
    mode('flood:20000');
    const stream = await open(port, STREAM);
    let drained = 0;
    const drain = (async () => {
      for (let piece = await stream.next(); piece !== null; piece = await stream.next())
        drained += piece.length;
    })().catch(() => undefined);
    for (let n = 0; n < 20; n++) {
      const reply = await ask(admin, { method: 'GET', path: '/livez' });
      expect(reply.status).toBe(200);
    }
    expect(drained).toBeGreaterThan(0);
    stream.leave();
    await drain;
  });
});
