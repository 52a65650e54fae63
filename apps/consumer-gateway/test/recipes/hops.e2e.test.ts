import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/client.ts';
import { received } from '../support/exchange.ts';
import { accessLines, startGateway, type TestGateway } from '../support/gateway.ts';
import { freePort, startOwnProvider } from '../support/own-provider.ts';

const at = (port: number): object[] => [
  { name: 'provider-a', endpoints: [{ url: `http://127.0.0.1:${port}` }] },
];

/** Requests that have ended, by the gateway's own count. */
async function served(gateway: TestGateway): Promise<number> {
  const { text } = await ask(gateway.app.port('admin'), { method: 'GET', path: '/metrics' });
  return text
    .split('\n')
    .filter((line) => line.startsWith('switchyard_requests_total{'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('a provider whose address leads back to the gateway', () => {
  it('at once: the request is refused after one hop, not sent round until something breaks (B94)', async () => {
    const port = await freePort();
    await using gateway = await startGateway({ config: { listen: { port }, clusters: at(port) } });
    const reply = await ask(port);
    expect(reply.status).toBe(508);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'loop_detected' } });
    const lines = await waitUntil(() => accessLines(gateway).length >= 2 && accessLines(gateway));
    expect(lines).toMatchObject([
      { status: 508, code: 'loop_detected', attempts: 0, outcome: 'gateway_error' },
      { status: 508, code: null, attempts: 1, outcome: 'upstream_error' },
    ]);
    // Two requests in all: the client's, and the one that came back.
    expect(await served(gateway)).toBe(2);
  });

  it('through another gateway: the first one knows its own request again (B94)', async () => {
    const [first, second] = [await freePort(), await freePort()];
    await using one = await startGateway({ config: { listen: { port: first }, clusters: at(second) } });
    await using two = await startGateway({ config: { listen: { port: second }, clusters: at(first) } });
    expect((await ask(first)).status).toBe(508);
    const codes = await waitUntil(
      () => accessLines(one).length === 2 && accessLines(one).map((line) => line['code']),
    );
    expect(codes).toEqual(['loop_detected', null]);
    expect([await served(one), await served(two)]).toEqual([2, 1]);
  });

  it('is told apart from other proxies before it, whose Via lines go on as they came', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a'] });
    const via = ['1.0 fred', '1.1 switchyard-00000000-0000-4000-8000-000000000000 (another one)'];
    for (let n = 0; n < 2; n++)
      expect((await ask(gateway.app.port('proxy'), { headers: { via } })).status).toBe(200);
    const sent = gateway
      .upstream('provider-a')
      .requests.map(({ rawHeaders }) =>
        rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'via'),
      );
    const [ours] = (sent[0] ?? []).slice(-1);
    expect(ours).toMatch(/^1\.1 switchyard-[0-9a-f-]{36}$/);
    expect(sent).toEqual([
      [...via, ours],
      [...via, ours],
    ]);
  });
});

describe('a provider that echoes the keys it was called with', () => {
  const echo = ['X-Goog-Api-Key', 'Authorization', 'x-api-key', 'api-key'];

  it.each([
    ['strip', 0],
    ['passthrough', echo.length],
  ])('with credentials: %s %i of them reach the client (B92)', async (credentials, count) => {
    await using provider = await startOwnProvider((_request, response) => {
      response.writeHead(200, [
        ...['content-type', 'application/json', 'x-request-id', 'p-1'],
        ...echo.flatMap((name) => [name, 'provider-secret']),
      ]);
      response.end('{}');
    });
    await using gateway = await startGateway({
      config: { clusters: [{ name: 'provider-a', credentials, endpoints: provider.endpoints }] },
    });
    const { headers, status } = await ask(gateway.app.port('proxy'));
    expect([status, headers['x-request-id']]).toEqual([200, 'p-1']);
    expect(JSON.stringify(headers).split('provider-secret').length - 1).toBe(count);
  });
});

describe('another copy of undici in the process', () => {
  it('that takes over the global dispatcher changes nothing; errors keep their code (B98)', async () => {
    const script =
      'globalThis[Symbol.for("undici.globalDispatcher.1")]={dispatch(){throw new Error("foreign")}};' +
      'fetch("http://127.0.0.1:49151").catch((error)=>console.error("taken over: "+error.cause?.message))';
    await using gateway = await startGateway({
      clusters: ['provider-a'],
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` },
    });
    await waitUntil(() => gateway.app.stderr.some((line) => line.includes('taken over: foreign')));
    const port = gateway.app.port('proxy');
    for (let n = 0; n < 3; n++) expect((await ask(port)).status).toBe(200);
    expect(received(gateway, ['provider-a'])).toEqual([3]);
    await gateway.upstream('provider-a').close();
    const reply = await ask(port);
    expect(reply.status).toBe(502);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'upstream_connect_failed' } });
    expect(reply.text).toContain('ECONNREFUSED');
  });
});
