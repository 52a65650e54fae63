import { stableId } from '@switchyard/grid-core';
import { type AppProcess, startApp } from '@switchyard/test-kit';

/** What two providers of one capability serve, and what stands behind them. */
export interface TopologyOptions {
  readonly kind?: 'inference_model' | 'mcp_tool';
  /** Models or tools. Default `demo-model`. */
  readonly names?: readonly string[];
  /** Paths that the provider gateways let through. */
  readonly paths: readonly string[];
  /** Origin of the backend of each provider. */
  readonly backends: readonly string[];
  /** Members of the consumer gateway's `routing`. */
  readonly routing?: object;
}

/** A consumer gateway, one provider gateway per backend, all real processes. */
export interface Topology extends AsyncDisposable {
  /** Of the consumer gateway. */
  readonly origin: string;
  readonly consumer: AppProcess;
  /** The provider gateway of each backend. */
  readonly providers: readonly AppProcess[];
}

const CLUSTERS = ['provider-a', 'provider-b', 'provider-c'] as const;

/** Starts both kinds of gateways in front of the backends: one group of equals, served in turn. */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const { kind = 'inference_model', names = ['demo-model'], backends, paths } = options;
  const started: AppProcess[] = [];
  const start = async (app: string, config: object): Promise<AppProcess> => {
    const process = await startApp({ app, config: { listen: { port: 0 }, admin: { port: 0 }, ...config } });
    started.push(process);
    return process;
  };
  const candidates = backends.flatMap((_, index) =>
    names.map((name) => {
      const cluster = CLUSTERS[index] ?? 'provider-x';
      const candidate = { kind, name, site: `site-${index}`, cluster };
      return { ...candidate, stableId: stableId(candidate), selectionGroup: 0 };
    }),
  );
  const providers = await Promise.all(
    backends.map((url, index) =>
      start('provider-gateway', {
        providerId: CLUSTERS[index],
        peers: { auth: 'insecure-plaintext' },
        routes: candidates
          .filter(({ cluster }) => cluster === CLUSTERS[index])
          .map(({ stableId: candidateId, name }) => ({
            candidateId,
            model: name,
            paths,
            cluster: 'backend',
          })),
        clusters: [{ name: 'backend', endpoints: [{ url }] }],
      }),
    ),
  );
  // Capability by capability, as an overlay has them.
  const ordered = names.flatMap((name) => candidates.filter((candidate) => candidate.name === name));
  const consumer = await start('consumer-gateway', {
    routing: {
      localSite: 'here',
      selectionPolicy: 'round_robin',
      candidates: ordered,
      ...options.routing,
    },
    clusters: providers.map((provider, index) => ({
      name: CLUSTERS[index],
      providerHop: true,
      endpoints: [{ url: `http://127.0.0.1:${provider.port('proxy')}` }],
    })),
  });
  return {
    origin: `http://127.0.0.1:${consumer.port('proxy')}`,
    consumer,
    providers,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(started.map((app) => app.stop()));
    },
  };
}
