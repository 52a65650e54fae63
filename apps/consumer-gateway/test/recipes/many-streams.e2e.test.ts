import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot, seededRandom, tempDir, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/client.ts';
import { type Opened, open } from '../support/exchange.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { candidate } from '../support/overlay.ts';
import { startHeldStreams } from '../support/own-provider.ts';

describe('streams by the hundred', () => {
  const marked = (marker: number): string =>
    JSON.stringify({ model: 'demo-model', stream: true, messages: [], marker });

  async function gauge(gateway: TestGateway, name: string): Promise<number> {
    const { text } = await ask(gateway.app.port('admin'), { method: 'GET', path: '/metrics' });
    return text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  it('500 that are left at any moment mix with no other, and leave nothing in flight (B119)', async () => {
    await using held = await startHeldStreams();
    await using gateway = await startGateway({
      config: { clusters: [{ name: 'provider-a', endpoints: held.endpoints }] },
      candidates: [candidate('provider-a')],
    });
    const port = gateway.app.port('proxy');
    const random = seededRandom(20_260_102);
    const wrong: string[] = [];
    let seen = 0;
    const oneStream = async (marker: number): Promise<void> => {
      const early = new AbortController();
      // A third may leave before there is a head, a third right after the first event, the rest a little later.
      if (marker % 3 === 0) setTimeout(() => early.abort(), random() % 10);
      const stream = await open(port, marked(marker), { signal: early.signal }).catch(() => undefined);
      const first = await stream?.next().catch(() => null);
      if (marker % 3 === 2) await new Promise((resolve) => setTimeout(resolve, random() % 10));
      stream?.leave();
      if (first === undefined || first === null) return;
      seen += 1;
      if (String(first) !== `data: {"marker":${marker}}\n\n`) wrong.push(`${marker}: ${String(first)}`);
    };
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < 500) await oneStream(next++);
    };
    await Promise.all(Array.from({ length: 25 }, client));
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(300);
    const inFlight = async (): Promise<number> =>
      held.open +
      (await gauge(gateway, 'switchyard_inflight_requests')) +
      (await gauge(gateway, 'switchyard_inflight_attempts'));
    await waitUntil(async () => (await inFlight()) === 0, { what: 'everything to end', timeoutMs: 30_000 });
    held.release();
    // Whoever comes next gets its own, from a connection that was left clean.
    for (let marker = 1000; marker < 1020; marker++)
      expect((await ask(port, { body: marked(marker) })).text).toBe(
        `data: {"marker":${marker}}\n\ndata: {"marker":${marker}}\n\ndata: [DONE]\n\n`,
      );
  });

  it('2,000 at once all begin, are all open together, and all end whole (B124)', {
    timeout: 180_000,
  }, async () => {
    const STREAMS = 2_000;
    await using held = await startHeldStreams();
    await using gateway = await startGateway({
      config: {
        clusters: [{ name: 'provider-a', endpoints: held.endpoints }],
        timeouts: { connectMs: 60_000 },
      },
      candidates: [candidate('provider-a')],
      routing: { retry: { attempts: 1, perTryFirstByteMs: 0 } },
    });
    const port = gateway.app.port('proxy');
    const streams: Opened[] = [];
    while (streams.length < STREAMS) {
      const from = streams.length;
      const wave = Array.from({ length: 200 }, (_, n) => open(port, marked(from + n)));
      streams.push(...(await Promise.all(wave)));
    }
    expect(held.open).toBe(STREAMS);
    expect(await gauge(gateway, 'switchyard_inflight_requests')).toBe(STREAMS);
    expect((await ask(gateway.app.port('admin'), { method: 'GET', path: '/livez' })).status).toBe(200);
    held.release();
    const texts = await Promise.all(streams.map(async (stream) => String(await stream.rest())));
    const whole = texts.filter(
      (text, marker) => text === `${`data: {"marker":${marker}}\n\n`.repeat(2)}data: [DONE]\n\n`,
    );
    expect(whole).toHaveLength(STREAMS);
    expect(held.calls).toBe(STREAMS);
    await waitUntil(async () => (await gauge(gateway, 'switchyard_inflight_requests')) === 0);
  });

  it('that the system will not let be open are told at start (B124)', async () => {
    await using gateway = await startGateway({ clusters: ['provider-a'] });
    await using dir = await tempDir();
    // The shell lowers the limit of the process that it becomes.
    const script = `ulimit -n 512 && exec "$0" "$1" --config "$2"`;
    const configFile = join(dir.path, 'gateway.yaml');
    await writeFile(
      configFile,
      JSON.stringify({
        listen: { port: 0 },
        admin: { port: 0 },
        routing: { overlayFile: gateway.overlayFile },
        clusters: [{ name: 'provider-a', endpoints: [{ url: gateway.upstream('provider-a').origin }] }],
      }),
    );
    const entry = join(repositoryRoot(), 'apps/consumer-gateway/dist/main.js');
    const child = spawn('sh', ['-c', script, process.execPath, entry, configFile], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let told = '';
    child.stderr.on('data', (piece: Buffer) => {
      told += piece.toString();
    });
    try {
      await waitUntil(() => /"openFilesMax":512\b.*enough for 256 requests/.test(told), {
        timeoutMs: 30_000,
      });
    } finally {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });
});
