import { rename, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltOverlay, buildOverlay } from '@switchyard/overlay-contract';
import {
  type AppProcess,
  type FaultUpstream,
  seededRandom,
  startApp,
  startFaultUpstream,
  tempDir,
  waitUntil,
} from '@switchyard/test-kit';
import { expect, it } from 'vitest';
import { growthPerMinute, type Held, look, openSockets } from './gateway-view.ts';
import { type Ending, sendSoakRequest } from './traffic.ts';

/** How long, in seconds. CI soaks for two minutes; half an hour is `SWITCHYARD_SOAK_SECONDS=1800`. */
const SECONDS = Number(process.env['SWITCHYARD_SOAK_SECONDS'] ?? 12);
/** Requests begun per second, by the clock: a slow answer holds up nobody. */
const RATE = 60;
/** 5 % of the requests. */
const FAULTS_PER_SECOND = 3;
const CLUSTERS = ['provider-a', 'provider-b', 'provider-c'] as const;
const FAULTS = ['status:503', 'reset', 'cut:0', 'status:429:0'] as const;
const SEED = 20_261_130;

function render(generation: number): BuiltOverlay {
  return buildOverlay({
    scope: { network: 'demo', gateway: 'consumer', namespace: 'grid-system', localSite: 'site-local' },
    provenance: {
      producer: 'soak',
      producerVersion: '1.0.0',
      sourceName: 'demo',
      sourceUid: 'uid-1',
      sourceGeneration: generation,
      renderedAt: new Date(generation * 1000).toISOString(),
    },
    selectionPolicy: 'round_robin',
    candidates: CLUSTERS.map((cluster) => ({
      kind: 'inference_model',
      name: 'demo-model',
      site: cluster.replace('provider', 'site'),
      cluster,
      // Inside the digest: every generation is another revision.
      score: (generation % 100) / 100,
      selection_group: 0,
    })),
  });
}

/** The gateway with three providers, of which now and then one fails a request. */
async function start(directory: string, upstreams: readonly FaultUpstream[]): Promise<AppProcess> {
  return startApp({
    app: 'consumer-gateway',
    configDir: directory,
    config: {
      listen: { port: 0 },
      admin: { port: 0 },
      routing: {
        overlayFile: './routing-overlay.json',
        affinity: { enabled: true, capacity: 5_000 },
        retry: { attempts: 3 },
      },
      clusters: upstreams.map(({ origin }, index) => ({
        name: CLUSTERS[index],
        endpoints: [{ url: origin }],
      })),
    },
    // A third of the default new space: its swings are smaller than what is looked for.
    env: { NODE_OPTIONS: '--max-semi-space-size=4' },
  });
}

it.runIf(process.platform === 'linux')(
  `${SECONDS} seconds of streams, aborts, faults and reloads leave memory flat, no socket open and no request failed`,
  { timeout: (SECONDS + 90) * 1000 },
  async () => {
    await using dir = await tempDir();
    const publish = async (generation: number): Promise<void> => {
      await writeFile(join(dir.path, 'new'), render(generation).text);
      await rename(join(dir.path, 'new'), join(dir.path, 'routing-overlay.json'));
    };
    await publish(1);
    const upstreams = await Promise.all(CLUSTERS.map((name) => startFaultUpstream({ name })));
    const app = await start(dir.path, upstreams);
    const agent = new Agent({ keepAlive: true });
    const random = seededRandom(SEED);
    const chance = (percent: number): boolean => random() % 100 < percent;
    const endings = new Map<Ending, number>();
    const samples: Held[] = [];
    const running = new Set<Promise<void>>();
    const begin = (): void => {
      const work = sendSoakRequest({
        port: app.ports.proxy ?? 0,
        agent,
        stream: chance(50),
        leave: chance(10),
        session: chance(50) ? `session-${random() % 20_000}` : undefined,
      }).then((ending) => {
        endings.set(ending, (endings.get(ending) ?? 0) + 1);
        running.delete(work);
      });
      running.add(work);
    };
    try {
      const began = performance.now();
      let begun = 0;
      for (let second = 0; second < SECONDS; second++) {
        if (second % 3 === 2) await publish(second + 2);
        // What was recorded would fill this process, not the gateway.
        for (const upstream of upstreams) upstream.reset();
        // Never the third: whoever fails twice is served there.
        for (let fault = 0; fault < FAULTS_PER_SECOND; fault++) {
          upstreams[random() % 2]?.next(FAULTS[random() % FAULTS.length] ?? 'reset');
        }
        while (begun < (second + 1) * RATE) {
          begin();
          begun++;
          const due = began + (begun * 1000) / RATE;
          await sleep(Math.max(0, due - performance.now()));
        }
        samples.push(await look(app.pid, (performance.now() - began) / 1000));
      }
      await Promise.all(running);
      agent.destroy();
      const failed = [...endings].filter(([ending]) => ending.startsWith('failed'));
      console.info(
        JSON.stringify({
          begun,
          endings: Object.fromEntries(endings),
          first: samples[0],
          last: samples.at(-1),
        }),
      );
      expect(failed).toEqual([]);
      // Idle connections to providers are kept for 4 s; then only what listens is left.
      await waitUntil(async () => (await openSockets(app.pid)) <= IDLE_SOCKETS, {
        timeoutMs: 20_000,
        what: 'closed connections',
      });
      if (SECONDS >= 60) expect(growthPerMinute(samples, SECONDS / 4)).toBeLessThan(GROWTH_MAX);
    } finally {
      agent.destroy();
      await app.stop();
      await Promise.all(upstreams.map((upstream) => upstream.close()));
    }
  },
);

/** Two listeners, and the two pipes of standard output and error, which are sockets to the test. */
const IDLE_SOCKETS = 6;
/**
 * MiB per minute that the low points of memory may rise. In two minutes code is still being compiled and the table of
 * sessions still fills up; in half an hour nothing may be left of that.
 */
const GROWTH_MAX = SECONDS < 600 ? 10 : 1;
