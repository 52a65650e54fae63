import {
  checkClusterNames,
  danglingReference,
  type ListenAddress,
  type ShutdownConfig,
  shutdownSchema,
} from '@switchyard/gateway-kit';
import { z } from 'zod';
import { type ClusterConfig, clusterSchema } from './clusters.ts';
import { type RoutingConfig, routingSchema } from './routing.ts';

const limitsSchema = z.strictObject({
  /** Longest accepted request body, in bytes; a longer one is answered 413. */
  requestBodyBytes: z.int().min(1).max(1_073_741_824).default(52_428_800),
  /** Longest body that may be sent a second time, in bytes; a longer one gets a single attempt. */
  replayBodyBytes: z.int().min(0).max(1_073_741_824).default(1_048_576),
  /** Longest request line and headers together, in bytes; a longer one is answered 431. */
  headerBytes: z.int().min(1024).max(1_048_576).default(65_536),
  /** Most bytes of request bodies held in memory at once, over all requests; one more is answered 503. */
  bufferedBytes: z.int().min(1).max(1_099_511_627_776).default(536_870_912),
});

const timeoutsSchema = z.strictObject({
  /** Longest time a client may take to send one request, body included; its head has at most 15 s of it. 0 = no limit. */
  requestMs: z.int().min(0).max(86_400_000).default(300_000),
  /** Longest wait for a connection to an endpoint, TLS included. */
  connectMs: z.int().min(1).max(600_000).default(2000),
  /** Longest silence inside a response. 0 = no limit. */
  idleMs: z.int().min(0).max(86_400_000).default(600_000),
  /** Longest attempt from its start to the last byte. 0 = no limit. */
  totalMs: z.int().min(0).max(86_400_000).default(0),
});

function listenAt(port: number): z.ZodType<ListenAddress> {
  return z.strictObject({
    host: z.string().min(1).default('127.0.0.1'),
    port: z.int().min(0).max(65_535).default(port),
  });
}

/** The file given with `--config`. Unknown keys, wrong types and dangling cluster names are errors. */
export const configSchema: z.ZodType<GatewayConfig> = z
  .strictObject({
    listen: listenAt(8080).prefault({}),
    admin: listenAt(9080).prefault({}),
    routing: routingSchema,
    clusters: z.array(clusterSchema).min(1),
    limits: limitsSchema.prefault({}),
    timeouts: timeoutsSchema.prefault({}),
    shutdown: shutdownSchema.prefault({}),
    responseHeaders: z.boolean().default(true),
  })
  .superRefine((config, context) => {
    checkClusterNames(config.clusters, context);
    reportDanglingClusters(config, context);
    const { requestBodyBytes, bufferedBytes } = config.limits;
    if (requestBodyBytes > bufferedBytes) {
      const message = `must be at least requestBodyBytes, which is ${requestBodyBytes}: a body of that size could never be held`;
      context.addIssue({ code: 'custom', path: ['limits', 'bufferedBytes'], message });
    }
  });

/** Sizes in bytes. */
interface LimitsConfig {
  readonly requestBodyBytes: number;
  readonly replayBodyBytes: number;
  readonly headerBytes: number;
  readonly bufferedBytes: number;
}

/** Times in milliseconds; 0 = no limit, except for `connectMs`. */
interface TimeoutsConfig {
  readonly requestMs: number;
  readonly connectMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** The whole configuration after validation, with defaults applied. */
export interface GatewayConfig {
  /** Where clients connect. Default 127.0.0.1:8080; port 0 picks a free one. */
  readonly listen: ListenAddress;
  /** Where operators connect. Default 127.0.0.1:9080; port 0 picks a free one. */
  readonly admin: ListenAddress;
  readonly routing: RoutingConfig;
  readonly clusters: readonly ClusterConfig[];
  readonly limits: LimitsConfig;
  readonly timeouts: TimeoutsConfig;
  /** How the process ends when it is told to. */
  readonly shutdown: ShutdownConfig;
  /** Whether routed responses carry the `x-switchyard-*` headers. Default true. */
  readonly responseHeaders: boolean;
}

/** Inline candidates are ours to check; an overlay's clusters are compared when it is loaded, and only warned about. */
function reportDanglingClusters(
  config: { routing: RoutingConfig; clusters: readonly ClusterConfig[] },
  context: z.RefinementCtx,
): void {
  const known = config.clusters.map((cluster) => cluster.name);
  for (const [index, { cluster }] of (config.routing.candidates ?? []).entries()) {
    const path = ['routing', 'candidates', index, 'cluster'];
    danglingReference(context, { path, what: 'cluster', name: cluster, known });
  }
}
