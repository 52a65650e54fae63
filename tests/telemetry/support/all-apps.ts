import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOverlay, type WireCandidate } from '@switchyard/overlay-contract';
import { type AppProcess, repositoryRoot, startApp, tempDir } from '@switchyard/test-kit';

/** Every app, as one system. */
export interface AllApps extends AsyncDisposable {
  readonly apps: Readonly<Record<AppName, AppProcess>>;
}

/** The apps that have telemetry. */
export const APP_NAMES = [
  'consumer-gateway',
  'provider-gateway',
  'vcr-backend',
  'overlay-sync',
  'grid-controller',
] as const;

/** One of {@link APP_NAMES}. */
export type AppName = (typeof APP_NAMES)[number];

/** A request that the vcr-backend has a recording of, as a stream. */
export const STREAMED_REQUEST = {
  model: 'demo-model',
  stream: true,
  messages: [{ role: 'user', content: 'Which site answers?' }],
} as const;

const SCOPE = { network: 'demo', gateway: 'consumer', namespace: 'grid-system', localSite: 'site-local' };

const MANIFESTS = `apiVersion: grid.praxis-proxy.io/v1alpha1
kind: GridNetwork
metadata: { name: demo }
spec:
  gatewayRefs:
    - { name: consumer, namespace: grid-system, localSiteName: site-local }
  routingPolicy: scoreFirst
---
apiVersion: grid.praxis-proxy.io/v1alpha1
kind: InferenceProvider
metadata: { name: provider-a }
spec:
  gridNetworkRef: demo
  endpoint: http://127.0.0.1:9
  healthCheck: { path: /health, interval: 200ms, timeout: 1s }
  models: [{ name: demo-model }]
`;

/**
 * Starts all five: overlay-sync carries an overlay to the consumer gateway, which sends to the provider gateway, which
 * sends to the vcr-backend; and to a second provider that nobody serves. The controller watches manifests of its own.
 */
export async function startAllApps(env: Readonly<Record<string, string>>): Promise<AllApps> {
  const dir = await tempDir();
  const started: AppProcess[] = [];
  const start = async (app: AppName, config: object): Promise<AppProcess> => {
    const process = await startApp({
      app,
      configDir: dir.path,
      config: { ...config, admin: { port: 0 } },
      env,
    });
    started.push(process);
    return process;
  };
  const dispose = async (): Promise<void> => {
    await Promise.all(started.map((app) => app.stop()));
    await dir.remove();
  };
  try {
    for (const folder of ['resources', 'overlay', 'published']) await mkdir(join(dir.path, folder));
    await writeFile(join(dir.path, 'resources', 'all.yaml'), MANIFESTS);
    await writeFile(join(dir.path, 'source.json'), overlayText());
    const sync = await start('overlay-sync', {
      source: { file: './source.json' },
      output: './overlay/routing-overlay.json',
      expectedScope: SCOPE,
    });
    const controller = await start('grid-controller', {
      resources: './resources',
      publish: { directory: './published' },
    });
    const backend = await start('vcr-backend', {
      listen: { port: 0 },
      mode: 'replay',
      cassettes: join(repositoryRoot(), 'apps/vcr-backend/cassettes'),
      speed: 0,
    });
    const provider = await start('provider-gateway', {
      listen: { port: 0 },
      providerId: 'provider-a',
      peers: { auth: 'insecure-plaintext' },
      routes: [
        { candidateId: 'a', model: 'demo-model', paths: ['/v1/chat/completions'], cluster: 'backend' },
      ],
      clusters: [{ name: 'backend', endpoints: [{ url: `http://127.0.0.1:${backend.port('proxy')}` }] }],
    });
    const consumer = await start('consumer-gateway', {
      listen: { port: 0 },
      routing: {
        overlayFile: './overlay/routing-overlay.json',
        reload: { onMissing: 'wait' },
        affinity: { enabled: true },
      },
      clusters: [
        {
          name: 'provider-a',
          providerHop: true,
          endpoints: [{ url: `http://127.0.0.1:${provider.port('proxy')}` }],
        },
        { name: 'provider-b', endpoints: [{ url: 'http://127.0.0.1:9' }] },
      ],
    });
    return {
      apps: {
        'consumer-gateway': consumer,
        'provider-gateway': provider,
        'vcr-backend': backend,
        'overlay-sync': sync,
        'grid-controller': controller,
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function overlayText(): string {
  const candidate = (name: string, cluster: string, stableId: string): WireCandidate => ({
    kind: 'inference_model',
    name,
    site: 'site-local',
    cluster,
    stable_id: stableId,
    rank: 1,
    selection_group: 0,
  });
  return buildOverlay({
    scope: SCOPE,
    provenance: {
      producer: 'test',
      producerVersion: '1.0.0',
      sourceName: 'demo',
      sourceUid: 'uid-1',
      sourceGeneration: 1,
      renderedAt: new Date(0).toISOString(),
    },
    selectionPolicy: 'round_robin',
    candidates: [candidate('demo-model', 'provider-a', 'a'), candidate('dead-model', 'provider-b', 'b')],
  }).text;
}
