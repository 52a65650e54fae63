import http from 'node:http';
import { seededRandom, startApp, startFaultUpstream } from '@switchyard/test-kit';
import { expect, it } from 'vitest';
import { scrape } from './support/scrape.ts';

const REQUESTS = 10_000;
const CONNECTIONS = 16;
const SEED = 20_260_101;

/** One request with an invented model, session and path; resolves with its status. */
function ask(
  port: number,
  agent: http.Agent,
  invented: { path: string; model: string; session: string },
): Promise<number> {
  const body = JSON.stringify({ model: invented.model, messages: [] });
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        port,
        agent,
        host: '127.0.0.1',
        method: 'POST',
        path: invented.path,
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          'x-session-id': invented.session,
        },
      },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

it('10,000 invented models, sessions and paths leave the number of series as it was', {
  timeout: 240_000,
}, async () => {
  await using upstream = await startFaultUpstream();
  await using gateway = await startApp({
    app: 'consumer-gateway',
    config: {
      listen: { port: 0 },
      admin: { port: 0 },
      routing: {
        candidates: [{ kind: 'inference_model', name: 'demo-model', site: 's', cluster: 'provider-a' }],
        localSite: 's',
        affinity: { enabled: true },
      },
      clusters: [{ name: 'provider-a', endpoints: [{ url: upstream.origin }] }],
    },
  });
  const port = gateway.port('proxy');
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const statuses = new Map<number, number>();
  const random = seededRandom(SEED);
  const word = (): string => Math.floor(random() * 2 ** 40).toString(36);
  // Every third request is served under a session of its own, every third has a model, the last third a path.
  const round = async (count: number): Promise<void> => {
    let left = count;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const kind = left % 3;
        const status = await ask(port, agent, {
          path: kind === 2 ? `/${word()}/${word()}` : '/v1/chat/completions',
          model: kind === 0 ? 'demo-model' : `invented-${word()}`,
          session: `session-${word()}`,
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  };
  const series = async (): Promise<string[]> =>
    (await scrape(gateway.port('admin'))).series
      // Node's own, which follow open sockets and timers.
      .filter(({ name }) => name.startsWith('switchyard_'))
      .map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);

  // One of each kind, so that what they begin is there.
  await round(3);
  const before = await series();
  await round(REQUESTS);
  agent.destroy();
  expect(await series()).toEqual(before);
  expect([...statuses.keys()].sort()).toEqual([200, 404]);
  expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 4);
});
