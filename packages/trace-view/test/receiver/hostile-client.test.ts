import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { rawHttp, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import type { TraceView, TraceViewOptions } from '../../src/index.ts';
import { exportSpans, makeSpans } from '../support/official-exporters.ts';
import { exportOf, field, spanMessage, varint } from '../support/protobuf-writer.ts';
import { testView, tracesUrl } from '../support/view.ts';

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly body: Buffer;
}

async function post(
  view: TraceView,
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await fetch(tracesUrl(view), {
    method: 'POST',
    headers: { 'content-type': 'application/x-protobuf', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    headers: answer.headers,
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

/** The receiver is well when it still takes a good export. */
async function expectAlive(view: TraceView): Promise<void> {
  const before = view.store.stats().accepted;
  await exportSpans('protobuf', await makeSpans(), { url: tracesUrl(view) });
  expect(view.store.stats().accepted).toBe(before + 2);
}

const small: TraceViewOptions = {
  receiver: { maxBodyBytes: 10_000, maxDecodedBytes: 20_000, maxValues: 1_000 },
};
const json = { 'content-type': 'application/json' };
const gzip = { 'content-encoding': 'gzip' };
const zeros = gzipSync(Buffer.alloc(5_000_000));

describe('bad exports are refused with a Status in the encoding that was sent', () => {
  it.each<[string, number, Buffer | string, Record<string, string>, string]>([
    ['truncated protobuf', 400, exportOf(spanMessage()).subarray(0, 20), {}, 'not a protobuf message'],
    ['a varint that never ends', 400, Buffer.alloc(64, 0xff), {}, 'varint of more than 10 bytes'],
    ['a length of 2^62', 400, Buffer.concat([Buffer.from([0x0a]), varint(2n ** 62n)]), {}, 'past the end'],
    ['half a JSON text', 400, '{"resourceSpans":[', json, 'not a JSON text'],
    ['a deep JSON text', 400, '['.repeat(9_000), json, 'nested more than 128 deep'],
    [
      'a span name that is a number',
      400,
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":1}]}]}]}',
      json,
      'spans[0].name',
    ],
    ['protobuf that calls itself JSON', 400, exportOf(spanMessage()), json, 'JSON text'],
    ['what is no gzip', 400, 'plain', gzip, 'not gzip'],
    ['a cut gzip', 400, gzipSync(exportOf(spanMessage())).subarray(0, 15), gzip, 'not gzip'],
    ['a gzip bomb', 413, zeros, gzip, 'after decompression'],
    ['a gzip bomb of JSON', 413, zeros, { ...gzip, ...json }, 'after decompression'],
    ['a large body', 413, Buffer.alloc(10_001), {}, 'larger than 10000 bytes'],
    [
      'too many attributes',
      413,
      exportOf(spanMessage(Buffer.alloc(4_000, Buffer.from([0x4a, 0])))),
      {},
      '1000 spans',
    ],
    ['too many JSON values', 413, `[${'1,'.repeat(4_900)}1]`.replace('[', '{"a":[').concat('}'), json, ''],
    [
      'text',
      415,
      'spans',
      { 'content-type': 'text/plain' },
      'is not application/x-protobuf or application/json',
    ],
    ['a form', 415, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 'content-type'],
    ['zstd', 415, 'x', { 'content-encoding': 'zstd' }, 'content-encoding'],
    ['two codings', 415, 'x', { 'content-encoding': 'gzip, gzip' }, 'content-encoding'],
  ])('%s: %i', async (name, status, body, headers, message) => {
    const view = await testView(name === 'too many JSON values' ? { receiver: { maxValues: 500 } } : small);
    const answer = await post(view, body, headers);
    expect(answer.status).toBe(status);
    const asked = headers['content-type'] ?? 'application/x-protobuf';
    expect(answer.type).toBe(asked === 'application/x-protobuf' ? asked : 'application/json');
    expect(answer.body.toString()).toContain(message);
    if (answer.type === 'application/json') expect(JSON.parse(answer.body.toString())).toHaveProperty('code');
    // Field 1 is the code, field 2 the message.
    else expect([answer.body[0], answer.body[2]]).toEqual([0x08, 0x12]);
    await expectAlive(view);
  });

  it('an unknown content type gets its Status in protobuf when that is what it accepts', async () => {
    const view = await testView();
    const answer = await post(view, 'x', { 'content-type': 'text/plain', accept: 'application/x-protobuf' });
    expect([answer.status, answer.type]).toEqual([415, 'application/x-protobuf']);
    expect(answer.headers.get('accept-encoding')).toBe('gzip');
  });

  it('an encoding that this receiver was told not to take: 415 that says which variable to set', async () => {
    const view = await testView({ receiver: { encodings: ['json'] } });
    const answer = await post(view, exportOf(spanMessage()));
    expect([answer.status, answer.type]).toEqual([415, 'application/x-protobuf']);
    expect(answer.body.toString()).toContain('set OTEL_EXPORTER_OTLP_PROTOCOL=http/json');
    expect((await post(view, '{}', json)).status).toBe(200);
  });

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('%s: 405 that allows POST', async (method) => {
    const view = await testView();
    const answer = await fetch(tracesUrl(view), { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('exporters that are set up wrong', () => {
  it.each(['', 'v1/metrics', 'v1/logs', 'v1/traces/'])(
    'POST /%s: 404 that says where traces go',
    async (path) => {
      const view = await testView();
      const answer = await fetch(`${view.url}${path}`, { method: 'POST', headers: json, body: '{}' });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({
        code: 12,
        message: expect.stringContaining('taken at /v1/traces') as unknown,
      });
    },
  );
});

describe('partial success', () => {
  it('names what was refused, in JSON and in protobuf, and keeps the rest', async () => {
    const view = await testView();
    const body = exportOf(spanMessage(), field(5, 'no ids'));
    const answer = await post(view, body);
    expect(answer.status).toBe(200);
    // ExportTraceServiceResponse { partial_success = 1 { rejected_spans = 1: 1, error_message = 2 } }
    expect([answer.body[0], answer.body.subarray(2, 5)]).toEqual([0x0a, Buffer.from([0x08, 0x01, 0x12])]);
    const text = '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"xyz"}]}]}]}';
    expect(JSON.parse((await post(view, text, json)).body.toString())).toEqual({
      partialSuccess: {
        rejectedSpans: '1',
        errorMessage: expect.stringContaining('traceId "xyz"') as unknown,
      },
    });
    expect(view.store.stats().accepted).toBe(1);
  });

  it('is left out when all was taken: an empty body, or {}', async () => {
    const view = await testView();
    expect((await post(view, exportOf(spanMessage()))).body).toHaveLength(0);
    expect((await post(view, '{"resourceSpans":null}', json)).body.toString()).toBe('{}');
  });
});

describe('other origins and names', () => {
  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://127.0.0.1:1' }],
    [{ host: 'rebound.example' }],
    [{ host: '127.0.0.1.evil.example' }],
    [{ host: '' }],
  ])('%j: 403', async (headers) => {
    const view = await testView();
    const lines = Object.entries({ host: `127.0.0.1:${view.port}`, ...headers }).map(
      ([n, v]) => `${n}: ${v}\r\n`,
    );
    const request = `POST /v1/traces HTTP/1.1\r\n${lines.join('')}content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`;
    const answer = await rawHttp(view.port, request);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('"code":7');
  });

  it('the own origin, localhost and allowed names pass', async () => {
    const view = await testView({ allowedHosts: ['Host.Docker.Internal'] });
    const own = view.url.slice(0, -1);
    expect((await post(view, '{}', { ...json, origin: own })).status).toBe(200);
    for (const host of ['localhost', 'host.docker.internal:4318', '[::1]:4318'])
      expect(
        await rawHttp(
          view.port,
          `POST /v1/traces HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
        ),
      ).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('slow, endless and broken bodies', () => {
  const head = (length: string): string =>
    `POST /v1/traces HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${length}\r\n\r\n`;

  it('a body that does not end in time: 408, and the connection is closed', async () => {
    const view = await testView({ requestMs: 200 });
    expect(await rawHttp(view.port, `${head('content-length: 100')}{`)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('an endless chunked body is cut off at the limit', async () => {
    const view = await testView(small);
    const socket = connect(view.port, '127.0.0.1');
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => undefined);
    socket.write(head('transfer-encoding: chunked'));
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const pump = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', pump);
    pump();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 413 /);
    await expectAlive(view);
  });

  it('clients that leave in the middle give their share of memory back', async () => {
    const view = await testView({ receiver: { maxInFlightBytes: 3_000 } });
    for (let n = 0; n < 5; n++) {
      const socket = connect(view.port, '127.0.0.1');
      socket.write(`${head('content-length: 9000')}${' '.repeat(2_000)}`);
      await once(socket, 'connect');
      socket.destroy();
      await once(socket, 'close');
    }
    await waitUntil(async () => (await post(view, '{}'.padEnd(2_500), json)).status === 200);
  });

  it('more bytes at once than may be in memory: 429 with Retry-After, until there is room', async () => {
    const view = await testView({ receiver: { maxInFlightBytes: 5_000, retryAfterSeconds: 7 } });
    const holder = connect(view.port, '127.0.0.1').resume();
    holder.write(`${head('content-length: 4500')}${' '.repeat(4_400)}`);
    const refused = await waitUntil(async () => {
      const answer = await post(view, '{}'.padEnd(3_000), json);
      return answer.status === 429 && answer;
    });
    expect(refused.headers.get('retry-after')).toBe('7');
    expect(JSON.parse(refused.body.toString())).toMatchObject({ code: 8 });
    holder.end(`{}${' '.repeat(98)}`);
    await once(holder, 'close');
    expect((await post(view, '{}'.padEnd(3_000), json)).status).toBe(200);
  });
});
