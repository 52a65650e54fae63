import { z } from 'zod';

/** An http(s) origin: scheme, host and port, nothing else. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  const rest = url.pathname + url.search + url.hash;
  return rest === '/' && url.username === '' && url.password === '';
}

const endpointSchema = z.strictObject({
  /** Origin of one address of the cluster, such as `http://127.0.0.1:8101`. The client's path is appended as it is. */
  url: z.string().refine(isOrigin, {
    error: 'expected an origin like "http://host:port" or "https://host", without path, query or credentials',
  }),
  /** Share of the cluster's traffic, an integer from 0 to 1,000,000. 0 drains the endpoint. */
  weight: z.int().min(0).max(1_000_000).default(1),
});

const tlsSchema = z
  .strictObject({
    /** PEM file with the authorities that sign this cluster's certificates. Default: the system's. */
    ca: z.string().min(1).exactOptional(),
    /** PEM file with the client certificate for mutual TLS. Goes with `key`. */
    cert: z.string().min(1).exactOptional(),
    /** PEM file with the client certificate's private key. Goes with `cert`. */
    key: z.string().min(1).exactOptional(),
    /** Name that the server's certificate must carry. Default: the host of the endpoint's URL. */
    servername: z.string().min(1).exactOptional(),
  })
  .superRefine((tls, context) => {
    if ((tls.cert === undefined) === (tls.key === undefined)) return;
    const [given, missing] = tls.cert === undefined ? ['key', 'cert'] : ['cert', 'key'];
    context.addIssue({
      code: 'custom',
      path: [given],
      message: `"${given}" needs "${missing}" beside it: mutual TLS takes both files`,
    });
  });

/** One cluster that candidates may name. */
export const clusterSchema: z.ZodType<ClusterConfig> = z
  .strictObject({
    name: z.string().min(1).max(256),
    policy: z.enum(['round_robin', 'least_request', 'random']).default('round_robin'),
    providerHop: z.boolean().default(false),
    credentials: z.enum(['strip', 'passthrough']).default('strip'),
    endpoints: z.array(endpointSchema).min(1),
    tls: tlsSchema.exactOptional(),
  })
  .superRefine((cluster, context) => {
    reportDuplicateUrls(cluster.endpoints, context);
    if (cluster.tls === undefined) return;
    for (const [index, { url }] of cluster.endpoints.entries()) {
      if (url.startsWith('https:')) continue;
      context.addIssue({
        code: 'custom',
        path: ['endpoints', index, 'url'],
        message: `this cluster has "tls", so "${url}" must be an https:// origin`,
      });
    }
  });

/** A cluster after validation, with defaults applied. */
export interface ClusterConfig {
  /** Name that candidates refer to; also the value of `x-switchyard-provider`. */
  readonly name: string;
  /** How an endpoint is picked inside the cluster. Default `round_robin`. */
  readonly policy: 'round_robin' | 'least_request' | 'random';
  /** Whether this cluster is a provider gateway of ours and gets the `x-ai-routing-*` headers. Default false. */
  readonly providerHop: boolean;
  /** Whether the client's own credentials go on to this cluster. Default `strip`. */
  readonly credentials: 'strip' | 'passthrough';
  readonly endpoints: readonly { readonly url: string; readonly weight: number }[];
  /** File paths, relative to the config file's folder. */
  readonly tls?: ClusterTlsFiles;
}

/** Where the TLS material of a cluster lies. */
export interface ClusterTlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
}

function reportDuplicateUrls(endpoints: readonly { url: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { url }] of endpoints.entries()) {
    if (!isOrigin(url)) continue;
    const { origin } = new URL(url);
    if (seen.has(origin)) {
      const message = `"${origin}" is listed twice; give it once with a higher weight`;
      context.addIssue({ code: 'custom', path: ['endpoints', index, 'url'], message });
    }
    seen.add(origin);
  }
}
