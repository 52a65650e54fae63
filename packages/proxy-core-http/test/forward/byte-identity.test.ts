import { gunzipSync, gzipSync } from 'node:zlib';
import { rawHttp, startFaultUpstream } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { send, valuesOf } from '../support/client.ts';
import { startProxy } from '../support/proxy.ts';
import { answering, startRawUpstream } from '../support/raw-upstream.ts';
import { post } from '../support/stream-client.ts';

const STREAM = '{"model":"m","stream":true}';

describe('answers reach the client byte for byte', () => {
  it.each(['crlf', 'split', 'nodone', 'errevent', 'ok', 'badjson:1'] as const)(
    'SSE, upstream mode %s',
    async (mode) => {
      await using faulty = await startFaultUpstream({ mode });
      await using proxy = await startProxy(faulty.origin);
      const direct = await send({ port: faulty.port, body: STREAM });
      const proxied = await send({ port: proxy.port, body: STREAM });
      // The completion id counts requests.
      const text = proxied.body.toString('latin1').replaceAll('-upstream-2', '-upstream-1');
      expect(text).toBe(direct.body.toString('latin1'));
      expect(proxied.broken).toBe(false);
      expect(await proxy.outcome()).toEqual({
        kind: 'completed',
        status: 200,
        responseBytes: proxied.body.length,
      });
    },
  );

  it('CRLF, comments, ids and a character cut between two chunks', async () => {
    const pieces = [
      ': ping\r\n\r\nevent: message\r\nid: 7\r\ndata: a\xf0\x9f',
      '\x99\x82\r\ndata: b\r\n\r\n',
      '\n\n\n',
    ];
    await using raw = await startRawUpstream(({ socket }) => {
      const sendPieces = async (): Promise<void> => {
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n',
        );
        for (const piece of pieces) {
          socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`, 'latin1');
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        socket.write('0\r\n\r\n');
      };
      socket.once('data', () => void sendPieces());
    });
    await using proxy = await startProxy(raw.origin);
    const answer = await send({ port: proxy.port, body: STREAM });
    expect(answer.body.toString('latin1')).toBe(pieces.join(''));
  });

  it('gzip stays gzip, with its content-encoding and content-length', async () => {
    const packed = gzipSync('{"answer":"42"}');
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
    await using raw = await startRawUpstream(answering(Buffer.concat([Buffer.from(head), packed])));
    await using proxy = await startProxy(raw.origin);
    const answer = await send({ port: proxy.port, headers: { 'accept-encoding': 'gzip, br;q=0.5' } });
    expect(raw.connections[0]?.received).toContain('accept-encoding: gzip, br;q=0.5\r\n');
    expect(valuesOf(answer.rawHeaders, 'content-encoding')).toEqual(['gzip']);
    expect(valuesOf(answer.rawHeaders, 'content-length')).toEqual([String(packed.length)]);
    expect(gunzipSync(answer.body).toString()).toBe('{"answer":"42"}');
  });

  it('20 MB with a content-length, and 20 MB chunked', async () => {
    await using faulty = await startFaultUpstream({ mode: 'big:20000000' });
    await using proxy = await startProxy(faulty.origin);
    const plain = await send({ port: proxy.port, body: '{"model":"m"}' });
    expect([plain.body.length, plain.broken]).toEqual([20_000_000, false]);
    faulty.setMode('flood:320');
    const chunked = await send({ port: proxy.port, body: STREAM });
    expect(chunked.broken).toBe(false);
    expect(chunked.body.length).toBeGreaterThanOrEqual(320 * 65_536);
  });
});

describe('names, order and bytes of headers are kept', () => {
  it('of answers: duplicates, case, set-cookie order, bytes above ASCII, reason phrase', async () => {
    const head = [
      'HTTP/1.1 200 Quite Fine',
      'Set-Cookie: b=2; Path=/',
      'X-MiXed: one',
      'set-cookie: a=1',
      'x-mixed: two',
      'X-Latin: caf\xe9',
      'X-Empty:',
      'Date: Mon, 01 Jan 2024 00:00:00 GMT',
      'Content-Length: 2',
    ];
    await using raw = await startRawUpstream(
      answering(Buffer.from(`${head.join('\r\n')}\r\n\r\nok`, 'latin1')),
    );
    await using proxy = await startProxy(raw.origin);
    const text = await rawHttp(proxy.port, post('{}', ['Connection: close']), { encoding: 'latin1' });
    const lines = text
      .split('\r\n\r\n')[0]
      ?.split('\r\n')
      .map((line) => line.trimEnd());
    expect(lines).toEqual([...head, 'Connection: close']);
  });

  it('of requests: duplicates, case, order, bytes above ASCII, path and query as typed', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin);
    await rawHttp(
      proxy.port,
      Buffer.from(
        [
          'POST /v1/%7Euser/../a//b?x=%20y&x=[1]&caf%C3%A9 HTTP/1.1',
          'Host: test',
          'X-B: 1',
          'Accept-Encoding: gzip',
          'x-a: caf\xe9',
          'X-B: 2',
          'Content-Length: 2',
          'Connection: close',
          '',
          '{}',
        ].join('\r\n'),
        'latin1',
      ),
    );
    const seen = await faulty.waitForRequest();
    expect(seen.path).toBe('/v1/%7Euser/../a//b?x=%20y&x=[1]&caf%C3%A9');
    expect(seen.rawHeaders).toEqual([
      ...['host', `127.0.0.1:${faulty.port}`, 'connection', 'keep-alive'],
      ...['X-B', '1', 'Accept-Encoding', 'gzip', 'x-a', 'caf\xe9', 'X-B', '2', 'content-length', '2'],
    ]);
  });
});

describe('time to the client', () => {
  it('does not hold a chunk back until the next one', async () => {
    await using faulty = await startFaultUpstream({ mode: 'stall:1' });
    await using proxy = await startProxy(faulty.origin);
    const controller = new AbortController();
    const started = performance.now();
    const answer = await fetch(`http://127.0.0.1:${proxy.port}/`, {
      method: 'POST',
      body: STREAM,
      signal: controller.signal,
    });
    const first = await answer.body?.getReader().read();
    expect(Buffer.from(first?.value ?? []).toString()).toMatch(/^data: .*\n\n$/);
    expect(performance.now() - started).toBeLessThan(1000);
    controller.abort();
    expect(await proxy.outcome()).toEqual({
      kind: 'client_gone',
      committed: true,
      responseBytes: expect.toSatisfy((bytes: number) => bytes > 0) as number,
    });
  });
});
