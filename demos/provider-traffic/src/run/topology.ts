import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AppConfig, type Child, port, Starter, type StarterOptions } from '@switchyard/demo-kit';
import type { DemoPolicy } from '../records/types.ts';
import { GridResources } from './grid-resources.ts';
import { ProviderProcesses } from './provider-processes.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const TOPOLOGY = fileURLToPath(new URL('../../topology/', import.meta.url));
const SITES = ['a', 'b', 'c'] as const;

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
  readonly resources: GridResources;
  readonly providers: ProviderProcesses;
}

/** A JSON object that a process printed. */
export type ProcessEvent = Readonly<Record<string, unknown>>;

/** How to start the topology. */
export interface TopologyOptions extends Omit<StarterOptions, 'repository'> {
  readonly policy: DemoPolicy;
  readonly seed: number | null;
  /** The file that a receiver of our own shall write the spans to, or the URL of one that runs already. */
  readonly spans: { readonly file: string } | { readonly url: string };
  readonly onReply: (backend: string, reply: ProcessEvent) => void;
  /** What the consumer gateway logs, such as an overlay accepted or rejected. */
  readonly onGatewayLog: (event: ProcessEvent) => void;
  readonly onStep: (text: string) => void;
}

/** Starts receiver, backends, provider gateways, controller and consumer gateway, each when what it needs is up. */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const starter = new Starter({ ...options, repository: REPOSITORY });
  options.onStep('trace receiver');
  if ('file' in options.spans) await starter.receiver(options.spans.file);
  else starter.sendSpansTo(options.spans.url);

  options.onStep('three model backends');
  const backends = await Promise.all(SITES.map((site) => startBackend(starter, options, site)));
  options.onStep('three provider gateways');
  const providers = new ProviderProcesses(starter);
  const file = join(TOPOLOGY, 'provider-gateway.yaml');
  await Promise.all(
    SITES.map((site, index) =>
      providers.start({ site, file, backendUrl: `http://127.0.0.1:${port(backends[index], 'proxy')}` }),
    ),
  );
  const overlayDirectory = join(options.directory, 'overlay');
  const overlayFile = join(overlayDirectory, 'routing-overlay.json');
  const { controller, resources } = await startController(starter, options, {
    overlayDirectory,
    urls: providers.urls(),
  });
  await starter.published(overlayFile);

  options.onStep('consumer gateway');
  const gateway = await starter.app({
    name: 'consumer-gateway',
    app: 'consumer-gateway',
    file: join(TOPOLOGY, 'consumer-gateway.yaml'),
    // "null" is YAML's null: drawn anew.
    env: { ...providers.urls(), OVERLAY_FILE: overlayFile, RANDOM_SEED: String(options.seed) },
    listeners: ['proxy', 'admin'],
    onLog: options.onGatewayLog,
  });
  return {
    gatewayUrl: `http://127.0.0.1:${port(gateway, 'proxy')}`,
    gatewayAdminUrl: `http://127.0.0.1:${port(gateway, 'admin')}`,
    overlayFile,
    tracesUrl: starter.tracesUrl,
    controller,
    backends: Object.fromEntries(SITES.map((site) => [`provider-${site}`, `backend-${site}`])),
    configs: starter.configs,
    resources,
    providers,
  };
}

async function startController(
  starter: Starter,
  options: TopologyOptions,
  { overlayDirectory, urls }: { overlayDirectory: string; urls: Readonly<Record<string, string>> },
): Promise<Pick<Topology, 'controller' | 'resources'>> {
  options.onStep('Grid controller');
  const directory = join(options.directory, 'resources');
  const templates = join(TOPOLOGY, 'resources');
  const resources = await GridResources.write({ templates, directory, policy: options.policy, values: urls });
  const controller = await starter.app({
    name: 'grid-controller',
    app: 'grid-controller',
    file: join(TOPOLOGY, 'grid-controller.yaml'),
    env: { RESOURCES: directory, OVERLAY_DIRECTORY: overlayDirectory },
    listeners: ['admin'],
  });
  return { controller, resources };
}

function startBackend(starter: Starter, { onReply }: TopologyOptions, site: string): Promise<Child> {
  return starter.backend({ name: `backend-${site}`, file: join(TOPOLOGY, 'vcr-backend.yaml'), onReply });
}
