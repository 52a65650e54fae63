import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stableId } from '@switchyard/grid-core';
import type { DemoPolicy } from '../records/types.ts';
import { Child, type ChildOptions } from './child.ts';

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
  /** Config file and environment of each process, for `--print-config`. */
  readonly configs: readonly {
    readonly name: string;
    readonly app: string;
    readonly file: string;
    readonly env: Env;
  }[];
}

type Env = Readonly<Record<string, string>>;

/** How to start the topology. */
export interface TopologyOptions {
  /** Working folder of the processes; made when it isn't there. */
  readonly directory: string;
  readonly policy: DemoPolicy;
  readonly seed: number | null;
  /** File that takes the spans. */
  readonly spansFile: string;
  readonly onReply: (backend: string, reply: Readonly<Record<string, unknown>>) => void;
  readonly onStep: (text: string) => void;
  readonly onDeath: (message: string) => void;
  /** Every started process is put here at once, so that the caller can end them whatever happens. */
  readonly children: Child[];
  /** Called with the pid of every process at once. */
  readonly onSpawn: (pid: number) => void;
  /** Once aborted, nothing more is started: the caller is ending what there is. */
  readonly signal: AbortSignal;
}

interface AppStart {
  readonly name: string;
  readonly app: string;
  readonly env: Env;
  readonly listeners: readonly string[];
  readonly onEvent?: ChildOptions['onEvent'];
}

/** Starts receiver, backends, provider gateways, controller and consumer gateway, each when what it needs is up. */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const started = new Starter(options);
  await mkdir(join(options.directory, 'logs'), { recursive: true });
  options.onStep('trace receiver');
  const receiver = await started.script(
    'otlp-receiver',
    [fileURLToPath(new URL('../otlp-receiver/main.js', import.meta.url)), options.spansFile],
    'otlp',
  );
  started.tracesUrl = `http://127.0.0.1:${receiver.ports['otlp']}/v1/traces`;

  options.onStep('three model backends');
  const cassettes = join(REPOSITORY, 'apps/vcr-backend/cassettes');
  const backends = await Promise.all(SITES.map((site) => started.backend(`backend-${site}`, cassettes)));
  options.onStep('three provider gateways');
  const providers = await Promise.all(
    SITES.map((site, index) => started.provider(site, port(backends[index], 'proxy'))),
  );

  options.onStep('Grid controller');
  const urls = providerUrls(providers);
  const overlayDirectory = join(options.directory, 'overlay');
  await writeResources(join(options.directory, 'resources'), {
    ...urls,
    SELECTION_MODE: SELECTION_MODES[options.policy],
  });
  const controller = await started.app({
    name: 'grid-controller',
    app: 'grid-controller',
    env: { RESOURCES: join(options.directory, 'resources'), OVERLAY_DIRECTORY: overlayDirectory },
    listeners: ['admin'],
  });
  const overlayFile = join(overlayDirectory, 'routing-overlay.json');
  await started.published(overlayFile);

  options.onStep('consumer gateway');
  const gateway = await started.app({
    name: 'consumer-gateway',
    app: 'consumer-gateway',
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

/** Starts processes with what they share: logs, trace export and the list of children. */
class Starter {
  tracesUrl = '';
  readonly configs: { name: string; app: string; file: string; env: Env }[] = [];
  readonly #options: TopologyOptions;

  constructor(options: TopologyOptions) {
    this.#options = options;
  }

  backend(name: string, cassettes: string): Promise<Child> {
    return this.app({
      name,
      app: 'vcr-backend',
      env: { BACKEND_NAME: name, CASSETTES: cassettes },
      listeners: ['proxy', 'admin'],
      onEvent: (event) => {
        if (event['event'] === 'reply') this.#options.onReply(name, event);
      },
    });
  }

  provider(site: string, backendPort: number): Promise<Child> {
    const identity = {
      kind: 'inference_model',
      name: 'demo-model',
      site: `site-${site}`,
      cluster: `provider-${site}`,
    } as const;
    return this.app({
      name: `provider-${site}`,
      app: 'provider-gateway',
      env: {
        PROVIDER_ID: `provider-${site}`,
        CANDIDATE_ID: stableId(identity),
        BACKEND_URL: `http://127.0.0.1:${backendPort}`,
      },
      listeners: ['proxy', 'admin'],
    });
  }

  app({ name, app, env, listeners, onEvent }: AppStart): Promise<Child> {
    const file = join(TOPOLOGY, `${app}.yaml`);
    this.configs.push({ name, app, file, env });
    return this.#start(name, {
      args: [join(REPOSITORY, 'apps', app, 'dist/main.js'), '--config', file],
      env: {
        ...env,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: this.tracesUrl,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_RESOURCE_ATTRIBUTES: `service.instance.id=${name}`,
        OTEL_BSP_SCHEDULE_DELAY: '200',
        OTEL_BSP_MAX_QUEUE_SIZE: '65536',
        // Evidence needs every span, whatever sampling the caller's shell asks for.
        OTEL_TRACES_SAMPLER: 'always_on',
      },
      listeners,
      ...(onEvent === undefined ? {} : { onEvent }),
    });
  }

  script(name: string, args: readonly string[], listener: string): Promise<Child> {
    return this.#start(name, { args, env: {}, listeners: [listener] });
  }

  /** Resolves when the controller has published the overlay for the first time. */
  async published(file: string): Promise<void> {
    const { signal, directory } = this.#options;
    const deadline = performance.now() + PUBLISH_TIMEOUT_MS;
    while (!existsSync(file)) {
      if (performance.now() > deadline)
        throw new Error(
          `no overlay at ${file} after ${PUBLISH_TIMEOUT_MS} ms; see the controller's log in ${directory}/logs`,
        );
      await sleep(PUBLISH_POLL_MS, undefined, { signal });
    }
  }

  async #start(name: string, options: Omit<ChildOptions, 'name' | 'logFile' | 'onDeath'>): Promise<Child> {
    this.#options.signal.throwIfAborted();
    const child = Child.spawn({
      ...options,
      name,
      logFile: join(this.#options.directory, 'logs', `${name}.log`),
      onDeath: this.#options.onDeath,
    });
    this.#options.children.push(child);
    this.#options.onSpawn(child.pid);
    await child.listening;
    return child;
  }
}

/** How long the first overlay may take, in milliseconds. */
const PUBLISH_TIMEOUT_MS = 20_000;
const PUBLISH_POLL_MS = 25;

function port(child: Child | undefined, listener: string): number {
  const found = child?.ports[listener];
  if (found === undefined) throw new Error(`${child?.name ?? 'process'}: announced no ${listener} port`);
  return found;
}

function providerUrls(providers: readonly Child[]): Record<string, string> {
  return Object.fromEntries(
    SITES.flatMap((site, index) => [
      [`PROVIDER_${site.toUpperCase()}_URL`, `http://127.0.0.1:${port(providers[index], 'proxy')}`],
      [`PROVIDER_${site.toUpperCase()}_ADMIN_URL`, `http://127.0.0.1:${port(providers[index], 'admin')}`],
    ]),
  );
}

/** Manifests know no variables, so the demo fills in the ports that were chosen. */
async function writeResources(directory: string, values: Env): Promise<void> {
  const templates = join(TOPOLOGY, 'resources');
  await mkdir(directory, { recursive: true });
  for (const name of await readdir(templates)) {
    const text = await readFile(join(templates, name), 'utf8');
    await writeFile(
      join(directory, name),
      text.replace(/\$\{(\w+)\}/g, (_all, key: string) => values[key] ?? ''),
    );
  }
}
