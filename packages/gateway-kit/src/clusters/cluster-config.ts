import { z } from 'zod';

/** What every cluster of every gateway is configured with. An app adds keys of its own. */
export interface ClusterConfig {
  /** Name by which the rest of the configuration refers to it. */
  readonly name: string;
  /** How an endpoint is picked inside the cluster. Default `round_robin`. */
  readonly policy: 'round_robin' | 'least_request' | 'random';
  readonly endpoints: readonly EndpointConfig[];
  /** File paths, relative to the config file's folder. */
  readonly tls?: ClusterTlsFiles | undefined;
}

/** One address of a cluster. */
export interface EndpointConfig {
  /** Origin such as `http://127.0.0.1:8101`. The client's path is appended as it is. */
  readonly url: string;
  /** Share of the cluster's traffic, an integer from 0 to 1,000,000. 0 drains the endpoint. Default 1. */
  readonly weight: number;
}

/** Where the TLS material towards a cluster lies. */
export interface ClusterTlsFiles {
  /** PEM file with the authorities that sign this cluster's certificates. Default: the system's. */
  readonly ca?: string | undefined;
  /** PEM file with the client certificate for mutual TLS. Goes with `key`. */
  readonly cert?: string | undefined;
  /** PEM file with the client certificate's private key. Goes with `cert`. */
  readonly key?: string | undefined;
  /** Name that the server's certificate must carry. Default: the host of the endpoint's URL. */
  readonly servername?: string | undefined;
}

/** The keys of {@link ClusterConfig}, to be spread into an app's own `z.strictObject`. */
export interface ClusterShape {
  readonly name: z.ZodType<string>;
  readonly policy: z.ZodType<ClusterConfig['policy']>;
  readonly endpoints: z.ZodType<EndpointConfig[]>;
  readonly tls: z.ZodType<ClusterTlsFiles | undefined>;
}

/** Schemas of the keys that every cluster has; see {@link checkCluster} for the rules between them. */
export const clusterShape: ClusterShape = {
  name: z.string().min(1).max(256),
  policy: z.enum(['round_robin', 'least_request', 'random']).default('round_robin'),
  endpoints: z
    .array(
      z.strictObject({
        url: z.string().refine(isOrigin, {
          error:
            'expected an origin like "http://host:port" or "https://host", without path, query or credentials',
        }),
        weight: z.int().min(0).max(1_000_000).default(1),
      }),
    )
    .min(1),
  tls: z
    .strictObject({
      ca: z.string().min(1).optional(),
      cert: z.string().min(1).optional(),
      key: z.string().min(1).optional(),
      servername: z.string().min(1).optional(),
    })
    .optional(),
};

/** Rules between the keys of one cluster, for `superRefine`: no address twice, TLS only towards https, cert with key. */
export function checkCluster(cluster: ClusterConfig, context: z.RefinementCtx): void {
  const issue = (path: PropertyKey[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });
  const seen = new Set<string>();
  for (const [index, { url }] of cluster.endpoints.entries()) {
    const path = ['endpoints', index, 'url'];
    if (!isOrigin(url)) continue;
    const { origin, protocol } = new URL(url);
    if (seen.has(origin)) issue(path, `"${origin}" is listed twice; give it once with a higher weight`);
    seen.add(origin);
    if (cluster.tls !== undefined && protocol !== 'https:') {
      issue(path, `this cluster has "tls", so "${url}" must be an https:// origin`);
    }
  }
  const { cert, key } = cluster.tls ?? {};
  if ((cert === undefined) === (key === undefined)) return;
  const [given, missing] = cert === undefined ? ['key', 'cert'] : ['cert', 'key'];
  issue(['tls', given], `"${given}" needs "${missing}" beside it: mutual TLS takes both files`);
}

/** Reports cluster names that are given twice, for the `superRefine` of a whole config with a key `clusters`. */
export function checkClusterNames(
  clusters: readonly { readonly name: string }[],
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const [index, { name }] of clusters.entries()) {
    const path = ['clusters', index, 'name'];
    if (seen.has(name)) {
      context.addIssue({
        code: 'custom',
        path,
        message: `cluster "${name}" is defined twice; names are unique`,
      });
    }
    seen.add(name);
  }
}

/** An http(s) origin: scheme, host and port, nothing else. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  const rest = url.pathname + url.search + url.hash;
  return rest === '/' && url.username === '' && url.password === '';
}
