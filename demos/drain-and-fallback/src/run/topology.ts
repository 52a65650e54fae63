import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AppConfig,
  type Child,
  type Env,
  port,
  Starter,
  type StarterOptions,
  writeManifest,
  writeManifests,
} from '@switchyard/demo-kit';
import { stableId } from '@switchyard/grid-core';

/** The repository's root. */
export const REPOSITORY: string = fileURLToPath(new URL('../../../../', import.meta.url));
const TOPOLOGY = fileURLToPath(new URL('../../topology/', import.meta.url));
/** Site to region; the consumer's own region is `here`. */
const SITES = { a: 'here', b: 'here', c: 'here', d: 'far', e: 'far' } as const;

/** One of the five sites. */
export type Site = keyof typeof SITES;

const ALL_SITES = Object.keys(SITES) as Site[];

/** How to start the topology. */
export interface TopologyOptions extends Omit<StarterOptions, 'repository'> {
  /** File that takes the spans. */
  readonly spansFile: string;
  readonly onReply: (backend: string, reply: Readonly<Record<string, unknown>>) => void;
  readonly onStep: (text: string) => void;
}

/** Everything that runs, and the ways to change it. */
export class Topology {
  readonly gatewayUrl: string;
  readonly adminUrl: string;
  readonly tracesUrl: string;
  readonly overlayDirectory: string;
  readonly controller: Child;
  /** Provider name to backend name. */
  readonly backends: Readonly<Record<string, string>> = Object.fromEntries(
    ALL_SITES.map((site) => [`provider-${site}`, `backend-${site}`]),
  );
  readonly #parts: Parts;

  /** Made by {@link startTopology}. */
  constructor(parts: Parts) {
    this.#parts = parts;
    this.tracesUrl = parts.starter.tracesUrl;
    this.overlayDirectory = parts.overlayDirectory;
    this.controller = parts.controller;
    this.gatewayUrl = `http://127.0.0.1:${port(parts.gateway, 'proxy')}`;
    this.adminUrl = `http://127.0.0.1:${port(parts.gateway, 'admin')}`;
  }

  get overlayFile(): string {
    return join(this.overlayDirectory, 'routing-overlay.json');
  }

  /** Config file and environment of each process, for `--print-config`. */
  get configs(): readonly AppConfig[] {
    return this.#parts.starter.configs;
  }

  /** Kills a provider gateway at once: no goodbye, connections reset. */
  kill(site: Site): void {
    this.#parts.providers[site].kill();
  }

  /** Starts a killed provider gateway again, on the ports it had. */
  async restart(site: Site): Promise<void> {
    const { providers, starter, backendPorts } = this.#parts;
    const before = providers[site];
    providers[site] = await startProvider(starter, site, {
      BACKEND_URL: `http://127.0.0.1:${backendPorts[site]}`,
      PORT: String(port(before, 'proxy')),
      ADMIN_PORT: String(port(before, 'admin')),
    });
  }

  /** Says in a provider's manifest whether it is draining; the controller takes it from there. */
  async drain(site: Site, drain: boolean): Promise<void> {
    await writeProvider(this.#parts, site, drain);
  }
}

interface Parts {
  readonly starter: Starter;
  readonly resources: string;
  readonly overlayDirectory: string;
  readonly controller: Child;
  readonly gateway: Child;
  readonly providers: Record<Site, Child>;
  readonly backendPorts: Readonly<Record<Site, number>>;
}

/** Starts receiver, backends, provider gateways, controller and consumer gateway, each when what it needs is up. */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const starter = new Starter({ ...options, repository: REPOSITORY });
  options.onStep('trace receiver');
  await starter.receiver(options.spansFile);
  options.onStep('five model backends');
  const backends = await bySite((site) => startBackend(starter, options, site));
  const backendPorts = await bySite(async (site) => port(backends[site], 'proxy'));
  options.onStep('five provider gateways');
  const providers = await bySite((site) =>
    startProvider(starter, site, { BACKEND_URL: `http://127.0.0.1:${backendPorts[site]}` }),
  );
  options.onStep('Grid controller');
  const resources = join(options.directory, 'resources');
  const overlayDirectory = join(options.directory, 'overlay');
  await mkdir(resources, { recursive: true });
  await writeManifests(join(TOPOLOGY, 'resources'), resources, {});
  for (const site of ALL_SITES) await writeProvider({ resources, providers }, site, false);
  const controller = await starter.app({
    name: 'grid-controller',
    app: 'grid-controller',
    file: join(TOPOLOGY, 'grid-controller.yaml'),
    env: { RESOURCES: resources, OVERLAY_DIRECTORY: overlayDirectory },
    listeners: ['admin'],
  });
  const overlayFile = join(overlayDirectory, 'routing-overlay.json');
  await starter.published(overlayFile);
  options.onStep('consumer gateway');
  const gateway = await starter.app({
    name: 'consumer-gateway',
    app: 'consumer-gateway',
    file: join(TOPOLOGY, 'consumer-gateway.yaml'),
    env: { OVERLAY_FILE: overlayFile, ...providerUrls(providers) },
    listeners: ['proxy', 'admin'],
  });
  return new Topology({
    starter,
    resources,
    overlayDirectory,
    controller,
    gateway,
    providers,
    backendPorts,
  });
}

async function bySite<T>(make: (site: Site) => Promise<T>): Promise<Record<Site, T>> {
  const entries = await Promise.all(ALL_SITES.map(async (site) => [site, await make(site)] as const));
  return Object.fromEntries(entries) as Record<Site, T>;
}

function startBackend(starter: Starter, { onReply }: TopologyOptions, site: Site): Promise<Child> {
  return starter.backend({ name: `backend-${site}`, file: join(TOPOLOGY, 'vcr-backend.yaml'), onReply });
}

function startProvider(starter: Starter, site: Site, env: Env): Promise<Child> {
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
    env: { ...env, PROVIDER_ID: name, CANDIDATE_ID: stableId(identity) },
    listeners: ['proxy', 'admin'],
  });
}

function providerUrls(providers: Record<Site, Child>): Env {
  return Object.fromEntries(
    ALL_SITES.map((site) => [
      `PROVIDER_${site.toUpperCase()}_URL`,
      `http://127.0.0.1:${port(providers[site], 'proxy')}`,
    ]),
  );
}

async function writeProvider(
  { resources, providers }: Pick<Parts, 'resources' | 'providers'>,
  site: Site,
  drain: boolean,
): Promise<void> {
  await writeManifest(join(TOPOLOGY, 'provider.yaml'), join(resources, `provider-${site}.yaml`), {
    SITE: site,
    REGION: SITES[site],
    PROVIDER_URL: `http://127.0.0.1:${port(providers[site], 'proxy')}`,
    PROVIDER_ADMIN_URL: `http://127.0.0.1:${port(providers[site], 'admin')}`,
    DRAIN: String(drain),
  });
}
