import http, { type IncomingMessage } from 'node:http';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ask, STREAM } from '../support/client.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

const MIB = 1_048_576;

async function metric(gateway: TestGateway, name: string): Promise<number> {
  const { text } = await ask(gateway.app.port('admin'), { method: 'GET', path: '/metrics' });
  const line = text.split('\n').find((one) => one.startsWith(`${name} `) || one.startsWith(`${name}{`));
  return Number(line?.split(' ').at(-1));
}

describe('clients that do not read', { timeout: 120_000 }, () => {
  const CLIENTS = 20;
  const EACH = 640 * 65_536; // 40 MiB

  it(`${CLIENTS} of them with 40 MiB each grow no memory, and get every byte once they read`, async () => {
    await using gateway = await startGateway({ clusters: ['provider-a'] });
    const upstream = gateway.upstream('provider-a');
    const resident = (): Promise<number> => metric(gateway, 'process_resident_memory_bytes');
    await ask(gateway.app.port('proxy'), { body: STREAM });
    const before = await resident();
    upstream.setMode('flood:640');
    const answers = await Promise.all(
      Array.from(
        { length: CLIENTS },
        () =>
          new Promise<IncomingMessage>((resolve, reject) => {
            http
              .request(
                {
                  port: gateway.app.port('proxy'),
                  method: 'POST',
                  path: '/v1/chat/completions',
                  agent: false,
                },
                resolve,
              )
              .on('error', reject)
              .end(STREAM);
          }),
      ),
    );
    // All have their head; nothing more is read until the gateway's memory stands still.
    let last = 0;
    await waitUntil(
      async () => {
        const now = await resident();
        const still = Math.abs(now - last) < MIB;
        last = now;
        return still;
      },
      { intervalMs: 500, timeoutMs: 60_000 },
    );
    // 800 MiB are waiting. What a gateway may hold is some buffers per stream.
    expect(last - before).toBeLessThan(100 * MIB);
    const lengths = await Promise.all(
      answers.map(async (answer) => {
        let bytes = 0;
        for await (const chunk of answer) bytes += (chunk as Buffer).length;
        return bytes;
      }),
    );
    for (const length of lengths) expect(length).toBeGreaterThanOrEqual(EACH);
    expect((await resident()) - before).toBeLessThan(150 * MIB);
  });
});

describe('request bodies', { timeout: 60_000 }, () => {
  it('beyond limits.bufferedBytes are 503 with Retry-After; nothing is lost, and room comes back', async () => {
    await using gateway = await startGateway({
      clusters: ['provider-a'],
      config: { limits: { requestBodyBytes: 100_000, replayBodyBytes: 0, bufferedBytes: 100_000 } },
    });
    const port = gateway.app.port('proxy');
    const upstream = gateway.upstream('provider-a');
    const body = JSON.stringify({ model: 'demo-model', prompt: 'x'.repeat(60_000) });
    upstream.next('slow:3000');
    const first = ask(port, { body });
    await upstream.waitForRequest(1);
    const refused = await ask(port, { body });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'gateway_busy' } });
    expect((await ask(port)).status).toBe(200);
    expect((await first).status).toBe(200);
    expect((await ask(port, { body })).status).toBe(200);
    expect(upstream.requests.map((request) => request.body.length > 60_000)).toEqual([true, false, true]);
  });
});
