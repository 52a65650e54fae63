import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '@switchyard/gateway-kit';
import { tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { configSchema, type GatewayConfig } from '../../src/config/config.ts';

const minimal = `
routing:
  overlayFile: ./overlay/routing-overlay.json
clusters:
  - { name: provider-a, endpoints: [{ url: "http://127.0.0.1:8101" }] }
`;

async function load(text: string, env: NodeJS.ProcessEnv = {}): Promise<GatewayConfig> {
  await using dir = await tempDir();
  const file = join(dir.path, 'gateway.yaml');
  await writeFile(file, text);
  return loadConfig(file, { schema: configSchema, env });
}

async function issuesOf(
  text: string,
): Promise<{ path: string; message: string; line: number; suggestion?: string }[]> {
  const error: unknown = await load(text).catch((caught: unknown) => caught);
  if (!(error instanceof ConfigError)) throw new Error('expected a ConfigError', { cause: error });
  return [...error.issues];
}

/** Names of all innermost keys of a value. */
function leafKeys(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leafKeys);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const below = leafKeys(inner);
    return below.length === 0 ? [key] : below;
  });
}

describe('the configuration', () => {
  it('fills in every documented default', async () => {
    expect(await load(minimal)).toEqual({
      listen: { host: '127.0.0.1', port: 8080 },
      admin: { host: '127.0.0.1', port: 9080 },
      routing: {
        overlayFile: './overlay/routing-overlay.json',
        affinity: {
          enabled: true,
          mode: 'table',
          onReturn: 'stay',
          header: 'x-session-id',
          cookie: 'switchyard_session',
          ttlSeconds: 3600,
          capacity: 100_000,
        },
        retry: {
          attempts: 3,
          perTryFirstByteMs: 30_000,
          withinMs: 60_000,
          budget: { ratio: 0.2, minConcurrent: 10 },
        },
        viability: {
          enabled: true,
          consecutiveFailures: 5,
          ejectionMs: 10_000,
          maxEjectionMs: 300_000,
          retryAfterMaxMs: 60_000,
          jitter: 0.2,
        },
        start: { mode: 'first' },
        modelHeader: 'x-model',
      },
      clusters: [
        {
          name: 'provider-a',
          policy: 'round_robin',
          providerHop: false,
          credentials: 'strip',
          endpoints: [{ url: 'http://127.0.0.1:8101', weight: 1 }],
        },
      ],
      limits: {
        requestBodyBytes: 52_428_800,
        replayBodyBytes: 1_048_576,
        headerBytes: 65_536,
        bufferedBytes: 536_870_912,
      },
      timeouts: { requestMs: 300_000, connectMs: 2000, idleMs: 600_000, totalMs: 0 },
      shutdown: { drainMs: 15_000 },
      responseHeaders: true,
    });
  });

  it('takes the example of the README, whose table names every key', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const example = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const config = await load(example);
    expect(config.clusters.map((cluster) => cluster.name)).toEqual(['provider-a', 'provider-b']);
    const table = readme.slice(readme.indexOf('## Configuration'), readme.indexOf('## Endpoints'));
    for (const key of leafKeys(config)) expect(table, key).toContain(key);
  });

  it('takes the block of the design as it stands', async () => {
    const config = await load(`
listen: { host: 127.0.0.1, port: 8080 }
admin:  { host: 127.0.0.1, port: 9080 }
routing:
  overlayFile: ./overlay/routing-overlay.json
  expectedScope: { network: demo, gateway: consumer, namespace: grid-system, localSite: site-local }
  reload: { enabled: true, debounceMs: 100, pollMs: 5000 }
  affinity: { enabled: true, header: x-session-id, cookie: switchyard_session, ttlSeconds: 3600, capacity: 100000 }
  retry: { attempts: 3, perTryFirstByteMs: 30000 }
  modelHeader: x-model
clusters:
  - { name: provider-a, policy: round_robin, providerHop: true, endpoints: [{ url: "http://127.0.0.1:8101", weight: 1 }] }
limits: { requestBodyBytes: 52428800, replayBodyBytes: 1048576, headerBytes: 65536 }
timeouts: { connectMs: 2000, idleMs: 600000, totalMs: 0 }
`);
    expect(config.routing.expectedScope).toEqual({
      network: 'demo',
      gateway: 'consumer',
      namespace: 'grid-system',
      localSite: 'site-local',
    });
    expect(config.clusters[0]?.providerHop).toBe(true);
  });

  it('knows what the table says about reloading', async () => {
    const { routing } = await load(
      minimal.replace(
        'clusters:',
        '  reload: { onMissing: wait, lastGoodFile: ./lkg.json, rollback: refuse, maxAgeSeconds: 60, onExpired: unready }\n  overlayLimits: {}\nclusters:',
      ),
    );
    expect(routing.reload).toEqual({
      enabled: true,
      debounceMs: 100,
      pollMs: 5000,
      onMissing: 'wait',
      lastGoodFile: './lkg.json',
      rollback: 'refuse',
      maxAgeSeconds: 60,
      onExpired: 'unready',
    });
    expect(routing.overlayLimits).toEqual({ bytes: 2_097_152, candidates: 1024 });
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    for (const key of leafKeys(routing.reload)) expect(readme, key).toMatch(new RegExp(`\\|.*\\.${key}\``));
  });

  it('expands variables before typing and keeps zero', async () => {
    const port = '$' + '{PORT}';
    const config = await load(`listen: { port: ${port} }\n${minimal}timeouts: { idleMs: 0 }\n`, {
      PORT: '0',
    });
    expect(config.listen.port).toBe(0);
    expect(config.timeouts.idleMs).toBe(0);
  });

  it('names an unknown key with its line and the nearest known one', async () => {
    const [issue] = await issuesOf(`${minimal}timeout: { connectMs: 5 }\n`);
    expect(issue).toMatchObject({ path: 'timeout', line: 6, suggestion: 'timeouts' });
  });

  it('names a wrong type with its path', async () => {
    const [issue] = await issuesOf(minimal.replace('endpoints: [{', 'endpoints: [{ weight: heavy,'));
    expect(issue?.path).toBe('clusters[0].endpoints[0].weight');
    expect(issue?.message).toContain('heavy');
  });

  it('names a dangling cluster of an inline candidate and the nearest known one', async () => {
    const [issue] = await issuesOf(`
routing:
  localSite: here
  candidates: [{ name: m, site: here, cluster: provder-a }]
clusters:
  - { name: provider-a, endpoints: [{ url: "http://127.0.0.1:8101" }] }
`);
    expect(issue).toMatchObject({ path: 'routing.candidates[0].cluster', suggestion: 'provider-a' });
  });

  const misfits: [what: string, routing: string, path: string][] = [
    ['no source of candidates', '{ modelHeader: x-model }', 'routing'],
    [
      'both sources',
      '{ overlayFile: a, candidates: [{ name: m, site: s, cluster: provider-a }], localSite: s }',
      'routing.candidates',
    ],
    [
      'candidates without localSite',
      '{ candidates: [{ name: m, site: s, cluster: provider-a }] }',
      'routing.localSite',
    ],
    [
      'reload of inline candidates',
      '{ candidates: [{ name: m, site: s, cluster: provider-a }], localSite: s, reload: {} }',
      'routing.reload',
    ],
    [
      'limits for inline candidates',
      '{ candidates: [{ name: m, site: s, cluster: provider-a }], localSite: s, overlayLimits: {} }',
      'routing.overlayLimits',
    ],
    [
      'waiting for what nobody looks for',
      '{ overlayFile: a, reload: { enabled: false, onMissing: wait } }',
      'routing.reload.onMissing',
    ],
    [
      'a consequence of an age without limit',
      '{ overlayFile: a, reload: { onExpired: unready } }',
      'routing.reload.onExpired',
    ],
    [
      'an overlay without candidates',
      '{ overlayFile: a, overlayLimits: { candidates: 0 } }',
      'routing.overlayLimits.candidates',
    ],
    ['a policy beside an overlay', '{ overlayFile: a, selectionPolicy: random }', 'routing.selectionPolicy'],
    [
      'a model header that is always removed',
      '{ overlayFile: a, modelHeader: X-AI-Routing-Model }',
      'routing.modelHeader',
    ],
    [
      'a session header that is no token',
      '{ overlayFile: a, affinity: { header: "x session" } }',
      'routing.affinity.header',
    ],
  ];
  it.each(misfits)('refuses %s', async (_what, routing, path) => {
    const issues = await issuesOf(minimal.replace(/routing:\n.*\n/, `routing: ${routing}\n`));
    expect(issues.map((issue) => issue.path)).toContain(path);
  });

  const clusters: [what: string, cluster: string, path: string][] = [
    [
      'a path in an endpoint',
      '{ name: a, endpoints: [{ url: "http://h:1/v1" }] }',
      'clusters[0].endpoints[0].url',
    ],
    [
      'credentials in an endpoint',
      '{ name: a, endpoints: [{ url: "http://u:p@h:1" }] }',
      'clusters[0].endpoints[0].url',
    ],
    ['another scheme', '{ name: a, endpoints: [{ url: "ftp://h:1" }] }', 'clusters[0].endpoints[0].url'],
    ['no endpoint', '{ name: a, endpoints: [] }', 'clusters[0].endpoints'],
    [
      'one endpoint twice',
      '{ name: a, endpoints: [{ url: "http://h:1" }, { url: "http://h:1/" }] }',
      'clusters[0].endpoints[1].url',
    ],
    [
      'tls on plain http',
      '{ name: a, tls: { ca: ca.pem }, endpoints: [{ url: "http://h:1" }] }',
      'clusters[0].endpoints[0].url',
    ],
    [
      'a certificate without key',
      '{ name: a, tls: { cert: c.pem }, endpoints: [{ url: "https://h:1" }] }',
      'clusters[0].tls.cert',
    ],
    [
      'an unknown policy',
      '{ name: a, policy: fastest, endpoints: [{ url: "http://h:1" }] }',
      'clusters[0].policy',
    ],
  ];
  it.each(clusters)('refuses %s', async (_what, cluster, path) => {
    const issues = await issuesOf(`routing: { overlayFile: a }\nclusters:\n  - ${cluster}\n`);
    expect(issues.map((issue) => issue.path)).toContain(path);
  });

  it('refuses two clusters of one name', async () => {
    const cluster = '  - { name: a, endpoints: [{ url: "http://h:1" }] }\n';
    const [issue] = await issuesOf(`routing: { overlayFile: a }\nclusters:\n${cluster}${cluster}`);
    expect(issue?.path).toBe('clusters[1].name');
  });
});
