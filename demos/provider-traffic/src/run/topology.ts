import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AppConfig,
  type Child,
  port,
  Starter,
  type StarterOptions,
  writeManifests,
} from '@switchyard/demo-kit';
import { stableId } from '@switchyard/grid-core';
import type { DemoPolicy } from '../records/types.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const TOPOLOGY = fileURLToPath(new URL('../../topology/', import.meta.url));
const SITES = ['a', 'b', 'c'] as const;
/** Wire words of the GridNetwork manifest. */
const SELECTION_MODES: Readonly<Record<DemoPolicy, string>> = {
  round_robin: 'roundRobin',
  random: 'random',
  deterministic: 'deterministic',
};

/** Everything that runs, and where. */
export interface Topology {
  readonly gatewayUrl: string;
  readonly gatewayAdminUrl: string;
  readonly overlayFile: string;
  readonly tracesUrl: string;
  readonly controller: Child;
  /** Provider name to backend name. */
  readonly backends: Readonly<Record<string, string>>;
  readonly configs: readonly AppConfig[];
}

/** How to start the topology. */
export interface TopologyOptions extends Omit<StarterOptions, 'repository'> {
  readonly policy: DemoPolicy;
  readonly seed: number | null;
  /** File that takes the spans. */
  readonly spansFile: string;
  readonly onReply: (backend: string, reply: Readonly<Record<string, unknown>>) => void;
  readonly onStep: (text: string) => void;
}

/** Starts receiver, backends, provider gateways, controller and consumer gateway, each when what it needs is up. */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const started = new Starter({ ...options, repository: REPOSITORY });
  options.onStep('trace receiver');
  await started.receiver(options.spansFile);

  options.onStep('three model backends');
  const backends = await Promise.all(SITES.map((site) => startBackend(started, options, site)));
  options.onStep('three provider gateways');
  const providers = await Promise.all(
    SITES.map((site, index) => startProvider(started, site, port(backends[index], 'proxy'))),
  );

  options.onStep('Grid controller');
  const urls = providerUrls(providers);
  const overlayDirectory = join(options.directory, 'overlay');
  const resources = join(options.directory, 'resources');
  await writeManifests(join(TOPOLOGY, 'resources'), resources, {
    ...urls,
    SELECTION_MODE: SELECTION_MODES[options.policy],
  });
  const controller = await started.app({
    name: 'grid-controller',
    app: 'grid-controller',
    file: join(TOPOLOGY, 'grid-controller.yaml'),
    env: { RESOURCES: resources, OVERLAY_DIRECTORY: overlayDirectory },
    listeners: ['admin'],
  });
  const overlayFile = join(overlayDirectory, 'routing-overlay.json');
  await started.published(overlayFile);

  options.onStep('consumer gateway');
  const gateway = await started.app({
    name: 'consumer-gateway',
    app: 'consumer-gateway',
    file: join(TOPOLOGY, 'consumer-gateway.yaml'),
    env: {
      ...urls,
      OVERLAY_FILE: overlayFile,
      // "null" is YAML's null: drawn anew.
      RANDOM_SEED: String(options.seed),
    },
    listeners: ['proxy', 'admin'],
  });
  return {
    gatewayUrl: `http://127.0.0.1:${port(gateway, 'proxy')}`,
    gatewayAdminUrl: `http://127.0.0.1:${port(gateway, 'admin')}`,
    overlayFile,
    tracesUrl: started.tracesUrl,
    controller,
    backends: Object.fromEntries(SITES.map((site) => [`provider-${site}`, `backend-${site}`])),
    configs: started.configs,
  };
}

function startBackend(starter: Starter, { onReply }: TopologyOptions, site: string): Promise<Child> {
  const name = `backend-${site}`;
  return starter.app({
    name,
    app: 'vcr-backend',
    file: join(TOPOLOGY, 'vcr-backend.yaml'),
    env: { BACKEND_NAME: name, CASSETTES: join(REPOSITORY, 'apps/vcr-backend/cassettes') },
    listeners: ['proxy', 'admin'],
    onEvent: (event) => {
      if (event['event'] === 'reply') onReply(name, event);
    },
  });
}

function startProvider(starter: Starter, site: string, backendPort: number): Promise<Child> {
  const name = `provider-${site}`;
  const identity = {
    kind: 'inference_model',
    name: 'demo-model',
    site: `site-${site}`,
    cluster: name,
  } as const;
  return starter.app({
    name,
    app: 'provider-gateway',
    file: join(TOPOLOGY, 'provider-gateway.yaml'),
    env: {
      PROVIDER_ID: name,
      CANDIDATE_ID: stableId(identity),
      BACKEND_URL: `http://127.0.0.1:${backendPort}`,
    },
    listeners: ['proxy', 'admin'],
  });
}

function providerUrls(providers: readonly Child[]): Record<string, string> {
  return Object.fromEntries(
    SITES.flatMap((site, index) => [
      [`PROVIDER_${site.toUpperCase()}_URL`, `http://127.0.0.1:${port(providers[index], 'proxy')}`],
      [`PROVIDER_${site.toUpperCase()}_ADMIN_URL`, `http://127.0.0.1:${port(providers[index], 'admin')}`],
    ]),
  );
}
