import { rawHttp, startFaultUpstream } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { send, valuesOf } from '../support/client.ts';
import { startProxy } from '../support/proxy.ts';
import { answering, startRawUpstream } from '../support/raw-upstream.ts';
import { post } from '../support/stream-client.ts';

/** What a raw upstream's answer looks like after the proxy, as head lines and body. */
async function through(answer: string, request = post('{}', ['Connection: close'])) {
  await using raw = await startRawUpstream(answering(answer));
  await using proxy = await startProxy(raw.origin);
  const text = await rawHttp(proxy.port, request, { encoding: 'latin1' });
  const split = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, split)
    .split('\r\n')
    .filter((line) => !line.startsWith('Date: '));
  return {
    lines,
    body: text.slice(split + 4),
    outcome: await proxy.outcome(),
    sent: raw.connections[0]?.received,
  };
}

describe('answers without a body', () => {
  it('HEAD: the length is announced, no byte follows, and nobody waits for one', async () => {
    const request = 'HEAD / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n';
    const { lines, body, outcome, sent } = await through(
      'HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n',
      request,
    );
    expect(lines).toEqual(['HTTP/1.1 200 OK', 'Content-Length: 1234', 'Connection: close']);
    expect(body).toBe('');
    expect(outcome).toEqual({ kind: 'completed', status: 200, responseBytes: 0 });
    expect(sent).toMatch(/^HEAD \/ /);
  });

  it.each(['204 No Content', '304 Not Modified'])('%s has no framing of its own', async (status) => {
    const { lines, body, outcome } = await through(`HTTP/1.1 ${status}\r\nETag: "x"\r\n\r\n`);
    expect(lines).toEqual([`HTTP/1.1 ${status}`, 'ETag: "x"', 'Connection: close']);
    expect(body).toBe('');
    expect(outcome).toEqual({ kind: 'completed', status: Number(status.slice(0, 3)), responseBytes: 0 });
  });

  it('304 may say how long a 200 would be, and is no broken answer for that', async () => {
    const { lines, body, outcome } = await through(
      'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 1234\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n',
    );
    expect(lines).toEqual([
      'HTTP/1.1 304 Not Modified',
      'ETag: "x"',
      'Content-Length: 1234',
      'Connection: close',
    ]);
    expect(body).toBe('');
    expect(outcome).toEqual({ kind: 'completed', status: 304, responseBytes: 0 });
  });

  it.each(['0', '5'])('204 with a content-length of %s loses it: it must not have any', async (length) => {
    const { lines, body, outcome } = await through(
      `HTTP/1.1 204 No Content\r\nContent-Length: ${length}\r\n\r\n`,
    );
    expect(lines).toEqual(['HTTP/1.1 204 No Content', 'Connection: close']);
    expect(body).toBe('');
    expect(outcome).toEqual({ kind: 'completed', status: 204, responseBytes: 0 });
  });

  it('200 with content-length 0', async () => {
    const { lines, body } = await through('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    expect(lines).toEqual(['HTTP/1.1 200 OK', 'Content-Length: 0', 'Connection: close']);
    expect(body).toBe('');
  });

  it('200 that is one empty chunk', async () => {
    const { lines, body } = await through('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
    expect(lines).toContain('Transfer-Encoding: chunked');
    expect(body).toBe('0\r\n\r\n');
  });
});

describe('1xx', () => {
  it.each(['102 Processing', '103 Early Hints'])('%s is not taken for the answer', async (status) => {
    const { lines, body } = await through(
      `HTTP/1.1 ${status}\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`,
    );
    expect(lines[0]).toBe('HTTP/1.1 200 OK');
    expect(lines.join()).not.toContain('Link');
    expect(body).toBe('ok');
  });
});

describe('trailers of an answer', () => {
  it('are dropped, with their announcement', async () => {
    const { lines, body, outcome } = await through(
      'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n',
    );
    expect(lines).toEqual(['HTTP/1.1 200 OK', 'Connection: close', 'Transfer-Encoding: chunked']);
    expect(body).toBe('2\r\nok\r\n0\r\n\r\n');
    expect(outcome).toMatchObject({ kind: 'completed', responseBytes: 2 });
  });
});

describe('hop-by-hop headers', () => {
  it('of an answer stay behind, with those that Connection nominates', async () => {
    await using faulty = await startFaultUpstream({ mode: 'leak' });
    await using proxy = await startProxy(faulty.origin);
    const direct = await send({ port: faulty.port, body: '{}' });
    const proxied = await send({ port: proxy.port, body: '{}' });
    const names = (raw: readonly string[]) =>
      raw.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
    expect(names(direct.rawHeaders)).toContain('x-hop');
    for (const name of ['x-hop', 'proxy-authenticate', 'keep-alive', 'upgrade', 'te', 'trailer']) {
      expect(names(proxied.rawHeaders)).not.toContain(name);
    }
    expect(valuesOf(proxied.rawHeaders, 'set-cookie')).toEqual(valuesOf(direct.rawHeaders, 'set-cookie'));
    expect(valuesOf(proxied.rawHeaders, 'connection')).toEqual(['close']);
  });

  it('of a request stay behind, with those that Connection nominates', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin);
    const hop = [
      'Connection: close, X-Secret',
      'X-Secret: 1',
      'Keep-Alive: timeout=5',
      'TE: trailers',
      'Trailer: X-T',
    ];
    const more = [
      'Proxy-Authorization: Basic eA==',
      'Proxy-Connection: keep-alive',
      'Upgrade: h2c',
      'X-Kept: 1',
    ];
    await rawHttp(proxy.port, post('{}', [...hop, ...more]));
    const seen = await faulty.waitForRequest();
    expect(seen.rawHeaders.filter((_, i) => i % 2 === 0)).toEqual([
      'host',
      'connection',
      'X-Kept',
      'content-length',
    ]);
  });
});

describe('the framing of a request', () => {
  it('is recomputed when the body was buffered, whatever it was', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin);
    const chunked =
      'POST / HTTP/1.1\r\nHost: test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    await rawHttp(proxy.port, `${chunked}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`);
    const seen = await faulty.waitForRequest();
    expect(seen.header('content-length')).toBe('2');
    expect(seen.header('transfer-encoding')).toBeUndefined();
    expect(seen.body.toString()).toBe('{}');
  });

  it('survives a body that was rewritten to another length', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin, {
      forward: {
        request: {
          method: 'POST',
          path: '/',
          headers: ['Content-Length', '2'],
          body: Buffer.from('{"longer":1}'),
        },
      },
    });
    expect((await send({ port: proxy.port, body: '{}' })).status).toBe(200);
    const seen = await faulty.waitForRequest();
    expect(seen.header('content-length')).toBe('12');
  });

  it('keeps the content-length of a streamed body, and chunks one without', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin, { body: 'stream' });
    await send({ port: proxy.port, body: '{"a":1}' });
    const chunked =
      'POST / HTTP/1.1\r\nHost: test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    await rawHttp(proxy.port, `${chunked}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`);
    const [first, second] = faulty.requests;
    expect([first?.header('content-length'), first?.header('transfer-encoding')]).toEqual(['7', undefined]);
    expect([second?.header('content-length'), second?.header('transfer-encoding')]).toEqual([
      undefined,
      'chunked',
    ]);
    expect(second?.body.toString()).toBe('{}');
  });

  it('GET has none', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin, { body: 'stream' });
    expect((await send({ port: proxy.port })).status).toBe(200);
    const seen = await faulty.waitForRequest();
    expect([seen.header('content-length'), seen.header('transfer-encoding')]).toEqual([undefined, undefined]);
  });

  it('100-continue is answered here and not passed on', async () => {
    await using faulty = await startFaultUpstream();
    await using proxy = await startProxy(faulty.origin);
    const text = await rawHttp(proxy.port, post('{}', ['Expect: 100-continue', 'Connection: close']));
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect((await faulty.waitForRequest()).header('expect')).toBeUndefined();
  });
});

describe('an answer never carries two framings', () => {
  it('an upstream that sends both is refused before anything reaches the client', async () => {
    const { lines, outcome } = await through(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    );
    expect(lines[0]).toBe('HTTP/1.1 502 Bad Gateway');
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'invalid_response' });
  });

  it('an upstream that sends two lengths is refused', async () => {
    const { outcome } = await through('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok');
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'invalid_response' });
  });
});
