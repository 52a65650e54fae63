import { readFileSync } from 'node:fs';
import { CREDENTIAL_HEADERS, createUpstream, type Upstream } from '@switchyard/proxy-core-http';
import { type Cluster, createCluster } from '@switchyard/proxy-core-lb';
import type { ClusterConfig, ClusterTlsFiles } from '../config/clusters.ts';

/** What an endpoint of ours carries; the balancer never looks inside. */
export interface EndpointMetadata {
  readonly upstream: Upstream;
  readonly origin: URL;
}

/** A configured cluster with its open connections. */
export interface ClusterEntry {
  readonly name: string;
  readonly providerHop: boolean;
  /** Lower-case names of request headers that this cluster must not get. */
  readonly dropHeaders: ReadonlySet<string>;
  readonly cluster: Cluster<EndpointMetadata>;
}

/** Everything a registry is built from. */
export interface ClusterRegistryOptions {
  readonly clusters: readonly ClusterConfig[];
  /** Longest wait for a connection, in milliseconds. */
  readonly connectMs: number;
  /** Resolves a path of the configuration. */
  resolvePath(path: string): string;
}

/** A TLS file that could not be read. */
export class ClusterTlsError extends Error {
  override readonly name = 'ClusterTlsError';
  /** Path inside the configuration, such as `clusters[0].tls.ca`. */
  readonly path: string;

  constructor(path: string, file: string, cause: unknown) {
    super(`cannot read "${file}": ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.path = path;
  }
}

/**
 * The clusters that candidates can name: fixed at start, because a reload never changes an address or a secret.
 */
export class ClusterRegistry {
  readonly #entries = new Map<string, ClusterEntry>();
  readonly #upstreams: Upstream[] = [];

  /** @throws {@link ClusterTlsError} when a TLS file cannot be read. */
  constructor(options: ClusterRegistryOptions) {
    for (const [index, config] of options.clusters.entries()) {
      const tls =
        config.tls === undefined ? undefined : readTls(config.tls, `clusters[${index}].tls`, options);
      this.#entries.set(config.name, this.#build(config, options.connectMs, tls));
    }
  }

  /** The cluster of that name, or undefined. */
  get(name: string): ClusterEntry | undefined {
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

  #build(config: ClusterConfig, connectMs: number, tls: TlsMaterial | undefined): ClusterEntry {
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
    return {
      name: config.name,
      providerHop: config.providerHop,
      dropHeaders: config.credentials === 'strip' ? CREDENTIAL_HEADERS : new Set(),
      cluster: createCluster({ name: config.name, policy: config.policy, endpoints }),
    };
  }
}

interface TlsMaterial {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
}

function readTls(files: ClusterTlsFiles, path: string, options: ClusterRegistryOptions): TlsMaterial {
  const material: TlsMaterial = {};
  for (const part of ['ca', 'cert', 'key'] as const) {
    const file = files[part];
    if (file === undefined) continue;
    try {
      material[part] = readFileSync(options.resolvePath(file), 'utf8');
    } catch (error) {
      throw new ClusterTlsError(`${path}.${part}`, file, error);
    }
  }
  if (files.servername !== undefined) material.servername = files.servername;
  return material;
}
