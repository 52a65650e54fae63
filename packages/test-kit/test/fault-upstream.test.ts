import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FaultMode, type FaultUpstream, rawHttp, startFaultUpstream } from '../src/index.ts';

const PATH = '/v1/chat/completions';

async function upstream(mode: FaultMode = 'ok'): Promise<FaultUpstream> {
  const server = await startFaultUpstream({ name: 'a', mode, chunks: 2 });
  onTestFinished(() => server.close());
  return server;
}

function ask(
  server: FaultUpstream,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(server.origin + PATH, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'm', ...body }),
  });
}

describe('right answers', () => {
  it('answers a completion and records the request as bytes', async () => {
    const server = await upstream();
    const answer: unknown = await (await ask(server, {}, { 'X-Mixed': 'v' })).json();
    expect(answer).toMatchObject({ object: 'chat.completion', model: 'm', usage: { total_tokens: 5 } });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: PATH, bodyComplete: true, aborted: false });
    expect(request?.body.toString()).toBe('{"model":"m"}');
    expect(request?.header('x-MIXED')).toBe('v');
  });

  it('answers a stream in events', async () => {
    const server = await upstream();
    const text = await (await ask(server, { stream: true })).text();
    const events = text.split('\n\n').filter((event) => event !== '');
    expect(events).toHaveLength(5);
    expect(events[1]).toContain('a 0 🙂 ');
    expect(events.at(-1)).toBe('data: [DONE]');
  });

  it('tells whether a connection was used before', async () => {
    const server = await upstream();
    const request = `GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    await rawHttp(server.port, request);
    expect(server.requests.map((r) => [r.path, r.socketReused])).toEqual([
      ['/a', false],
      ['/b', true],
    ]);
    expect(server.connections).toBe(1);
  });
});

describe('faults', () => {
  it('gives an error with Retry-After for the next call only', async () => {
    const server = await upstream();
    server.next('status:429:7');
    const first = await ask(server);
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await first.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
    expect((await ask(server)).status).toBe(200);
  });

  it('obeys the header x-fault-mode', async () => {
    expect((await ask(await upstream(), {}, { 'x-fault-mode': 'status:503' })).status).toBe(503);
  });

  it('cuts a stream after n events, which the peer gets', async () => {
    const server = await upstream('cut:2');
    const response = await ask(server, { stream: true });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body ?? []) seen.push(Buffer.from(chunk).toString());
    })();
    await expect(reading).rejects.toThrow();
    expect(seen.join('').match(/data: /g)).toHaveLength(2);
    expect(await server.requests[0]?.over).toBe('cut');
  });

  it('closes without the end of the body', async () => {
    const server = await upstream('cut:1:fin');
    const body = '{"stream":true}';
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
    const answer = await rawHttp(server.port, head + body);
    expect(answer).toContain('data: ');
    expect(answer).not.toContain('\r\n0\r\n');
  });

  it('resets before the head', async () => {
    await expect(ask(await upstream('reset'))).rejects.toThrow();
  });

  it('notices that the peer left a hanging request', async () => {
    const server = await upstream('hang');
    const abort = new AbortController();
    const asking = fetch(server.origin, { signal: abort.signal }).catch(() => 'left');
    const request = await server.waitForRequest();
    abort.abort();
    expect(await request.over).toBe('aborted');
    expect(request.aborted).toBe(true);
    expect(await asking).toBe('left');
  });

  it('answers early without reading the body', async () => {
    const server = await upstream('early:413');
    const answer = await rawHttp(
      server.port,
      'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(server.requests[0]?.bodyComplete).toBe(false);
  });

  it('makes a body of exactly the size asked for', async () => {
    const server = await upstream('big:100000');
    const body = await (await ask(server)).arrayBuffer();
    expect(body.byteLength).toBe(100_000);
    expect(() => JSON.parse(Buffer.from(body).toString())).not.toThrow();
  });

  it('leaks what a proxy has to strip', async () => {
    const response = await ask(await upstream('leak'), {}, { authorization: 'Bearer k' });
    expect(response.headers.get('x-received-authorization')).toBe('Bearer k');
    expect(response.headers.get('x-hop')).toBe('secret-hop');
    expect(response.headers.getSetCookie()).toHaveLength(2);
  });

  it('sends gzip', async () => {
    const server = await upstream('gzip');
    const answer = await rawHttp(server.port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', {
      encoding: 'latin1',
    });
    const body = answer.slice(answer.indexOf('\x1f\x8b'));
    expect(
      gunzipSync(Buffer.from(body.slice(0, body.lastIndexOf('\r\n0\r\n')), 'latin1')).toString(),
    ).toContain('"a 0');
  });

  it.each<FaultMode>([
    'split',
    'crlf',
    'nodone',
    'errevent',
    'badjson:1',
    'pace:1',
    'slow:5',
    'flood:1',
    'idle:5',
  ])('completes a stream in mode %s', async (mode) => {
    const response = await ask(await upstream(mode), { stream: true });
    expect((await response.text()).length).toBeGreaterThan(100);
  });

  it('refuses an unknown mode, naming the known ones', async () => {
    const server = await upstream();
    expect(() => server.setMode('nope' as FaultMode)).toThrow(/Unknown fault mode "nope"; known: ok, /);
    await expect(startFaultUpstream({ mode: 'cut:x' as FaultMode })).rejects.toThrow(
      '"x" is not a whole number',
    );
  });
});
