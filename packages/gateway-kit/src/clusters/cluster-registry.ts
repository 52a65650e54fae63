import { createUpstream, type Upstream, type UpstreamTlsOptions } from '@switchyard/proxy-core-http';
import { type Cluster, createCluster } from '@switchyard/proxy-core-lb';
import type { ClusterConfig, ClusterTlsFiles } from './cluster-config.ts';
import { readTlsFile } from './tls-file.ts';

/** What an endpoint of ours carries; the balancer never looks inside. */
export interface EndpointMetadata {
  readonly upstream: Upstream;
  readonly origin: URL;
}

/** A configured cluster with its open connections. */
export interface ClusterEntry<C extends ClusterConfig = ClusterConfig> {
  readonly config: C;
  readonly cluster: Cluster<EndpointMetadata>;
}

/** Everything a registry is built from. */
export interface ClusterRegistryOptions<C extends ClusterConfig> {
  readonly clusters: readonly C[];
  /** Longest wait for a connection, in milliseconds. */
  readonly connectMs: number;
  /** Makes a path of the configuration absolute. */
  resolvePath(path: string): string;
}

/** The clusters of a gateway by name: fixed at start, because nothing at run time changes an address or a secret. */
export class ClusterRegistry<C extends ClusterConfig = ClusterConfig> {
  readonly #entries = new Map<string, ClusterEntry<C>>();
  readonly #upstreams: Upstream[] = [];

  /** @throws TlsFileError when a TLS file cannot be read. */
  constructor(options: ClusterRegistryOptions<C>) {
    for (const [index, config] of options.clusters.entries()) {
      const tls =
        config.tls === undefined ? undefined : readTls(config.tls, `clusters[${index}].tls`, options);
      this.#entries.set(config.name, this.#build(config, options.connectMs, tls));
    }
  }

  /** The cluster of that name, or undefined. */
  get(name: string): ClusterEntry<C> | undefined {
    return this.#entries.get(name);
  }

  /** Names of all clusters, in configured order. */
  names(): string[] {
    return [...this.#entries.keys()];
  }

  /** Closes every connection; requests still running on them are aborted. */
  async destroy(): Promise<void> {
    await Promise.all(this.#upstreams.map((upstream) => upstream.destroy()));
  }

  #build(config: C, connectMs: number, tls: UpstreamTlsOptions | undefined): ClusterEntry<C> {
    const endpoints = config.endpoints.map(({ url, weight }) => {
      const origin = new URL(url);
      const upstream = createUpstream({
        origin: origin.origin,
        connectMs,
        ...(tls === undefined ? {} : { tls }),
      });
      this.#upstreams.push(upstream);
      return { address: origin.origin, weight, metadata: { upstream, origin } };
    });
    return { config, cluster: createCluster({ name: config.name, policy: config.policy, endpoints }) };
  }
}

function readTls(
  files: ClusterTlsFiles,
  path: string,
  { resolvePath }: { resolvePath(path: string): string },
): UpstreamTlsOptions {
  const pem = (part: 'ca' | 'cert' | 'key'): Record<string, string> => {
    const file = files[part];
    return file === undefined ? {} : { [part]: readTlsFile({ file, path: `${path}.${part}`, resolvePath }) };
  };
  const servername = files.servername === undefined ? {} : { servername: files.servername };
  return { ...pem('ca'), ...pem('cert'), ...pem('key'), ...servername };
}
