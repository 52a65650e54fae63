import { rename, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { buildOverlay } from '@switchyard/overlay-contract';
import {
  type FaultUpstream,
  seededRandom,
  startApp,
  startFaultUpstream,
  tempDir,
  waitUntil,
} from '@switchyard/test-kit';
import { expect, it } from 'vitest';

const REQUESTS = 10_000;
const REWRITES = 500;
const CONNECTIONS = 12;
const CLUSTERS = ['provider-a', 'provider-b', 'provider-c', 'provider-d'];
const SEED = 20_260_101;
const BODY = JSON.stringify({ model: 'demo-model', messages: [{ role: 'user', content: 'hi' }] });

/** What a client can tell of one request. */
interface Pick {
  readonly status: number;
  readonly provider: string;
  readonly answeredBy: string;
  readonly revision: string;
  readonly group: string;
  readonly attempts: string;
}

/** Members of the only group, by the first 12 digits of the revision. */
type Published = Map<string, readonly string[]>;

/** Why a pick is not what the snapshot it names would have answered; undefined when it is. */
function unexplained(pick: Pick, published: Published): string | undefined {
  const members = published.get(pick.revision);
  if (pick.status !== 200) return `status ${pick.status}`;
  if (members === undefined) return `revision ${pick.revision} was never published whole`;
  if (!members.includes(pick.provider)) return `${pick.provider} is not in ${pick.revision}`;
  if (pick.answeredBy !== pick.provider) return `${pick.answeredBy} answered for ${pick.provider}`;
  return pick.group === '0' && pick.attempts === '1'
    ? undefined
    : `group ${pick.group}, attempts ${pick.attempts}`;
}

function render(members: readonly string[], generation: number): { text: string; revision: string } {
  return buildOverlay({
    scope: { network: 'demo', gateway: 'consumer', namespace: 'grid-system', localSite: 'site-local' },
    provenance: {
      producer: 'test',
      producerVersion: '1.0.0',
      sourceName: 'demo',
      sourceUid: 'uid-1',
      sourceGeneration: generation,
      renderedAt: new Date(generation * 1000).toISOString(),
    },
    selectionPolicy: 'round_robin',
    candidates: members.map((cluster, rank) => ({
      kind: 'inference_model',
      name: 'demo-model',
      site: `site-${cluster.slice(-1)}`,
      cluster,
      stable_id: cluster,
      // Makes every generation's content, and so its revision, its own.
      rank,
      generation,
      selection_group: 0,
    })),
  });
}

function ask(port: number, agent: http.Agent): Promise<Pick> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) };
    const path = '/v1/chat/completions';
    const request = http.request(
      { port, host: '127.0.0.1', method: 'POST', path, headers, agent },
      (response) => {
        const text = (name: string): string => String(response.headers[name]);
        response.resume().on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            provider: text('x-switchyard-provider'),
            answeredBy: text('x-fault-upstream'),
            revision: text('x-switchyard-revision'),
            group: text('x-switchyard-group'),
            attempts: text('x-switchyard-attempts'),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(BODY);
  });
}

/** Rewrites the overlay file in every way the issue names, each kind again and again. */
class Publisher {
  readonly published: Published = new Map();
  readonly counts: Record<'unchanged' | 'changed' | 'broken' | 'removed', number> = {
    unchanged: 0,
    changed: 0,
    broken: 0,
    removed: 0,
  };
  readonly #file: string;
  readonly #random: () => number;
  #generation = 0;
  #current = '';
  revision = '';

  constructor(file: string, seed: number) {
    this.#file = file;
    this.#random = seededRandom(seed);
  }

  async change(): Promise<void> {
    const chosen = CLUSTERS.filter(() => this.#random() % 2 === 0);
    const members =
      chosen.length === 0 ? [CLUSTERS[this.#random() % CLUSTERS.length] ?? 'provider-a'] : chosen;
    this.#generation += 1;
    const { text, revision } = render(members, this.#generation);
    // Known before it is written: a request may be answered from it at once.
    this.published.set(revision.slice(0, 12), members);
    this.revision = revision;
    this.#current = text;
    this.counts.changed += 1;
    await this.#write(text);
  }

  async next(): Promise<void> {
    const draw = this.#random() % 10;
    if (draw < 5) return this.change();
    if (draw < 7) {
      this.counts.unchanged += 1;
      return this.#write(this.#current);
    }
    if (draw < 9) {
      this.counts.broken += 1;
      // Cut in the middle, or whole but with a digest that is wrong.
      const cut = this.#current.slice(0, this.#random() % this.#current.length);
      return this.#write(draw === 7 ? cut : this.#current.replaceAll('demo-model', 'demo-modem'));
    }
    this.counts.removed += 1;
    await rm(this.#file, { force: true });
  }

  /** In place, which a reader may see half-way, or by renaming, which it may not. */
  async #write(text: string): Promise<void> {
    if (this.#random() % 2 === 0) return writeFile(this.#file, text);
    await writeFile(`${this.#file}.new`, text);
    await rename(`${this.#file}.new`, this.#file);
  }
}

async function startProviders(): Promise<FaultUpstream[]> {
  return Promise.all(CLUSTERS.map((name) => startFaultUpstream({ name })));
}

it('serves 10,000 requests while the overlay is rewritten 500 times: none fails, and each pick is explained by the snapshot it names', async () => {
  await using dir = await tempDir();
  const upstreams = await startProviders();
  const file = join(dir.path, 'routing-overlay.json');
  const publisher = new Publisher(file, SEED);
  await publisher.change();
  await using app = await startApp({
    app: 'consumer-gateway',
    configDir: dir.path,
    config: {
      listen: { port: 0 },
      admin: { port: 0 },
      routing: { overlayFile: './routing-overlay.json', reload: { debounceMs: 5, pollMs: 50 } },
      clusters: upstreams.map(({ origin }, i) => ({ name: CLUSTERS[i], endpoints: [{ url: origin }] })),
    },
    env: { LOG_LEVEL: 'fatal' },
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const picks: Pick[] = [];
  let asked = 0;
  const client = async (): Promise<void> => {
    while (asked < REQUESTS) {
      asked += 1;
      picks.push(await ask(app.port('proxy'), agent));
    }
  };
  const publishing = async (): Promise<void> => {
    for (let rewrite = 1; rewrite <= REWRITES; rewrite += 1) {
      // In step with the traffic, so that both end together whatever the machine's speed.
      await waitUntil(() => picks.length >= (rewrite * REQUESTS) / (REWRITES + 1), {
        intervalMs: 1,
        timeoutMs: 60_000,
      });
      await publisher.next();
    }
  };
  await Promise.all([publishing(), ...Array.from({ length: CONNECTIONS }, client)]);

  expect(picks).toHaveLength(REQUESTS);
  expect(
    picks.map((pick) => unexplained(pick, publisher.published)).filter((why) => why !== undefined),
  ).toEqual([]);
  for (const kind of Object.values(publisher.counts)) expect(kind).toBeGreaterThan(20);
  // Otherwise nothing was reloaded under traffic, and the test proves nothing.
  const served = new Set(picks.map((pick) => pick.revision));
  expect(served.size).toBeGreaterThan(20);
  const connections = upstreams.reduce((sum, upstream) => sum + upstream.connections, 0);
  expect(connections).toBeLessThan(REQUESTS / 10);

  await publisher.change();
  await waitUntil(
    async () => (await ask(app.port('proxy'), agent)).revision === publisher.revision.slice(0, 12),
  );
  agent.destroy();
  await Promise.all(upstreams.map((upstream) => upstream.close()));
}, 120_000);

it('the judge refuses picks that their snapshot does not explain', () => {
  const published: Published = new Map([
    ['r1', ['provider-a']],
    ['r2', ['provider-a', 'provider-b']],
  ]);
  const good: Pick = {
    status: 200,
    provider: 'provider-b',
    answeredBy: 'provider-b',
    revision: 'r2',
    group: '0',
    attempts: '1',
  };
  expect(unexplained(good, published)).toBeUndefined();
  const bad: Partial<Pick>[] = [
    { status: 503 },
    { revision: 'r1' },
    { revision: 'r3' },
    { answeredBy: 'provider-a' },
    { group: '1' },
    { attempts: '2' },
  ];
  for (const change of bad) expect(unexplained({ ...good, ...change }, published)).toBeTypeOf('string');
});
