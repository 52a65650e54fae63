import { gzipSync } from 'node:zlib';
import { rawHttp } from '@switchyard/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, CHAT } from '../support/client.ts';
import { received, residentMiB } from '../support/exchange.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

const LIMIT = 4 * 1024 * 1024;

/** A valid chat request of exactly that many bytes. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify({ model: 'demo-model', messages: [], padding: '' });
  return JSON.stringify({ model: 'demo-model', messages: [], padding: 'x'.repeat(bytes - empty.length) });
}

describe('headers and bodies', () => {
  let gateway: TestGateway;
  let port: number;
  beforeAll(async () => {
    gateway = await startGateway({
      clusters: ['provider-a'],
      config: { limits: { requestBodyBytes: LIMIT } },
      routing: { viability: { enabled: false } },
    });
    port = gateway.app.ports.proxy ?? 0;
  });
  afterAll(() => gateway[Symbol.asyncDispose]());
  beforeEach(() => gateway.upstream('provider-a').reset());
  const seen = (): string => (gateway.upstream('provider-a').requests.at(-1)?.rawHeaders ?? []).join('\n');

  it('none of the client’s credentials reach a provider, whatever slot they come in (B88, B91)', async () => {
    const secret = 'gw-secret';
    await ask(port, {
      headers: {
        authorization: `Bearer ${secret}`,
        'x-api-key': secret,
        'api-key': secret,
        'x-goog-api-key': secret,
        cookie: `a=${secret}`,
        'proxy-authorization': `Basic ${secret}`,
      },
    });
    expect(received(gateway, ['provider-a'])).toEqual([1]);
    expect(seen()).not.toContain(secret);
  });

  it('a leaky provider’s hop-by-hop headers do not reach the client (B92)', async () => {
    gateway.upstream('provider-a').setMode('leak');
    const { headers, status } = await ask(port, { headers: { authorization: 'Bearer gw-secret' } });
    expect(status).toBe(200);
    for (const name of ['x-hop', 'proxy-authenticate', 'upgrade', 'te'])
      expect(headers[name]).toBeUndefined();
    expect(JSON.stringify(headers)).not.toContain('gw-secret');
  });

  it('an answer has one framing header, never two (B95)', async () => {
    gateway.upstream('provider-a').setMode('gzip');
    const text = await rawHttp(
      port,
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${CHAT.length}\r\nconnection: close\r\n\r\n${CHAT}`,
    );
    const head = text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase();
    expect((head.match(/^(content-length|transfer-encoding):/gm) ?? []).length).toBe(1);
  });

  it('the provider is told the length of the bytes it gets, also for a chunked request (B97)', async () => {
    const chunk = `${CHAT.length.toString(16)}\r\n${CHAT}\r\n0\r\n\r\n`;
    await rawHttp(
      port,
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n${chunk}`,
    );
    const [request] = gateway.upstream('provider-a').requests;
    expect(request?.body.toString()).toBe(CHAT);
    const length = request?.header('content-length');
    if (length !== undefined) expect(Number(length)).toBe(CHAT.length);
    else expect(request?.header('transfer-encoding')).toBe('chunked');
  });

  it('Expect: 100-continue is answered here and not passed on (B100)', async () => {
    const body = bodyOf(300_000);
    const reply = await ask(port, { body, headers: { expect: '100-continue' } });
    expect(reply.status).toBe(200);
    expect(gateway.upstream('provider-a').requests[0]?.header('expect')).toBeUndefined();
  });

  it.each([{}, { expect: '100-continue' }])(
    'an answer before the body was read arrives, and the gateway serves on: %j (B101)',
    async (headers) => {
      gateway.upstream('provider-a').setMode('early:413');
      expect((await ask(port, { body: bodyOf(3_000_000), headers })).status).toBe(413);
      gateway.upstream('provider-a').setMode('ok');
      expect((await ask(port)).status).toBe(200);
    },
  );

  it.each([32_768, 32_769, 1_048_575, 1_048_577, 2_097_151, 2_097_153, LIMIT - 1, LIMIT])(
    'a body of %i bytes goes through whole (B82)',
    async (bytes) => {
      expect((await ask(port, { body: bodyOf(bytes) })).status).toBe(200);
      expect(gateway.upstream('provider-a').requests.at(-1)?.body.length).toBe(bytes);
    },
  );

  it('one byte more than the limit is 413 that names the limit, not invalid JSON (B82, B85)', async () => {
    const reply = await ask(port, { body: bodyOf(LIMIT + 1) });
    expect(reply.status).toBe(413);
    expect(reply.text).toContain(String(LIMIT));
    const chunked = await ask(port, {
      body: bodyOf(LIMIT + 1),
      headers: { 'transfer-encoding': 'chunked' },
    });
    expect(chunked.status).toBe(413);
    expect(received(gateway, ['provider-a'])).toEqual([0]);
  });

  it('large bodies with an image in them do not multiply in memory (B83)', async () => {
    const body = bodyOf(LIMIT);
    await ask(port, { body });
    const before = await residentMiB(gateway.app.pid);
    for (let n = 0; n < 8; n++) expect((await ask(port, { body })).status).toBe(200);
    expect((await residentMiB(gateway.app.pid)) - before).toBeLessThan(3 * 4 + 30);
  });

  it('a gzip request is refused as such, and a bomb is never unpacked (B106)', async () => {
    const reply = await ask(port, { body: gzipSync(CHAT), headers: { 'content-encoding': 'gzip' } });
    expect(reply.status).toBe(415);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect((await ask(port, { body: bomb, headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
    expect(received(gateway, ['provider-a'])).toEqual([0]);
  });
});

describe('the model', () => {
  let gateway: TestGateway;
  let port: number;
  beforeAll(async () => {
    gateway = await startGateway({ clusters: ['provider-a'] });
    port = gateway.app.ports.proxy ?? 0;
  });
  afterAll(() => gateway[Symbol.asyncDispose]());
  beforeEach(() => gateway.upstream('provider-a').reset());

  it('of a body that is otherwise nonsense is routed; the rest is the provider’s to judge (B103)', async () => {
    expect((await ask(port, { body: '{"model":"demo-model","messages":123}' })).status).toBe(200);
  });

  it('given twice is refused: gateway and provider may read different ones (B104)', async () => {
    for (const body of [
      '{"model":"demo-model","model":"forbidden"}',
      '{"model":"forbidden","model":"demo-model"}',
      '{"\\u006dodel":"x","model":"demo-model"}',
    ]) {
      expect((await ask(port, { body })).status).toBe(400);
    }
    expect(received(gateway, ['provider-a'])).toEqual([0]);
  });

  it('inside other members is not the model (B104)', async () => {
    expect((await ask(port, { body: '{"a":{"model":"x"},"model":"demo-model"}' })).status).toBe(200);
  });

  it('comes from the body without any header; a header that disagrees is an error (B107)', async () => {
    expect((await ask(port)).status).toBe(200);
    expect((await ask(port, { headers: { 'x-model': 'other' } })).status).toBe(400);
  });
});
