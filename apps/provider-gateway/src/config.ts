import {
  API_ROUTES,
  type ClusterConfig,
  checkCluster,
  checkClusterNames,
  clusterShape,
  danglingReference,
  type ListenAddress,
  listenSchema,
  type ShutdownConfig,
  shutdownSchema,
} from '@switchyard/gateway-kit';
import { z } from 'zod';

/** Who may speak to this gateway. */
type PeersConfig =
  | {
      /** Consumer gateways show a certificate that one of the authorities in `ca` signed. */
      readonly auth: 'mtls';
      /** PEM files, relative to the config file's folder. */
      readonly ca: string;
      readonly cert: string;
      readonly key: string;
    }
  | {
      /** Anybody who reaches the port; warned about at start. */
      readonly auth: 'insecure-plaintext';
    };

/** What one candidate id may ask for, and where it goes. */
export interface RouteConfig {
  /** The candidate's stable id, as the overlay has it. */
  readonly candidateId: string;
  /** The model or tool. */
  readonly model: string;
  /** Exact paths; `{id}` stands for the id of a stored response. */
  readonly paths: readonly string[];
  readonly cluster: string;
}

/** The whole configuration after validation, with defaults applied. */
export interface GatewayConfig {
  readonly listen: ListenAddress;
  readonly admin: ListenAddress;
  /** Told to the backend as `x-ai-provider-attribution`; also `service.instance.id` of the traces. */
  readonly providerId: string;
  readonly peers: PeersConfig;
  /**
   * Lower-case name of a header that may name the model, or false for none. What it says is judged like the body, since a
   * backend may go by it. Default `x-model`.
   */
  readonly modelHeader: string | false;
  readonly routes: readonly RouteConfig[];
  readonly clusters: readonly ClusterConfig[];
  readonly limits: {
    readonly requestBodyBytes: number;
    readonly headerBytes: number;
    /** Over all requests together. */
    readonly bufferedBytes: number;
  };
  /** Milliseconds; 0 = no limit, except for `connectMs`. */
  readonly timeouts: {
    /** For a peer to send one request, body included; at most 15 s of it for the head. */
    readonly requestMs: number;
    readonly connectMs: number;
    readonly firstByteMs: number;
    readonly idleMs: number;
    readonly totalMs: number;
  };
  /** How the process ends when it is told to. */
  readonly shutdown: ShutdownConfig;
}

const templates = API_ROUTES.map((route) => route.path).filter((path) => path.includes('{'));

/** 1 to 256 bytes of visible ASCII: it must fit into a header unchanged. */
const headerIdentifier = z.string().regex(/^[\x21-\x7e]{1,256}$/, {
  error: 'expected 1 to 256 characters of visible ASCII without spaces: it is compared with a header',
});
/** An HTTP token outside the gateways' own namespaces, which are read by nobody behind them. */
const headerName = z
  .string()
  .regex(/^(?!x-(?:ai-routing|ai-provider|switchyard)-)[!#$%&'*+\-.^_`|~0-9a-z]+$/i, {
    error: 'expected the name of an HTTP header, outside x-ai-routing-*, x-ai-provider-* and x-switchyard-*',
  })
  .toLowerCase();
const file = z.string().min(1);

const peersSchema: z.ZodType<PeersConfig> = z.discriminatedUnion('auth', [
  z.strictObject({ auth: z.literal('mtls'), ca: file, cert: file, key: file }),
  z.strictObject({ auth: z.literal('insecure-plaintext') }),
]);

const routeSchema = z.strictObject({
  candidateId: headerIdentifier,
  model: z.string().min(1).max(256),
  paths: z
    .array(
      z
        .string()
        .max(256)
        .startsWith('/')
        .refine((path) => !path.includes('{') || templates.includes(path), {
          error: `not one of the paths with a place for an id: ${templates.join(', ')}`,
        }),
    )
    .min(1)
    .max(64)
    .refine((paths) => new Set(paths).size === paths.length, { error: 'a path is listed twice' }),
  cluster: z.string().min(1),
});

/** The file given with `--config`. Unknown keys, wrong types and dangling cluster names are errors. */
export const configSchema: z.ZodType<GatewayConfig> = z
  .strictObject({
    listen: listenSchema,
    admin: listenSchema.default({ host: '127.0.0.1', port: 0 }),
    providerId: headerIdentifier,
    peers: peersSchema,
    modelHeader: z.union([headerName, z.literal(false)]).default('x-model'),
    routes: z.array(routeSchema).min(1).max(1024),
    clusters: z.array(z.strictObject({ ...clusterShape }).superRefine(checkCluster)).min(1),
    limits: z
      .strictObject({
        requestBodyBytes: z.int().min(1).max(1_073_741_824).default(52_428_800),
        headerBytes: z.int().min(1024).max(1_048_576).default(65_536),
        bufferedBytes: z.int().min(1).max(1_099_511_627_776).default(536_870_912),
      })
      .prefault({}),
    timeouts: z
      .strictObject({
        requestMs: z.int().min(0).max(86_400_000).default(300_000),
        connectMs: z.int().min(1).max(600_000).default(2_000),
        firstByteMs: z.int().min(0).max(86_400_000).default(0),
        idleMs: z.int().min(0).max(86_400_000).default(600_000),
        totalMs: z.int().min(0).max(86_400_000).default(0),
      })
      .prefault({}),
    shutdown: shutdownSchema.prefault({}),
  })
  .superRefine((config, context) => {
    checkClusterNames(config.clusters, context);
    const { requestBodyBytes, bufferedBytes } = config.limits;
    if (requestBodyBytes > bufferedBytes) {
      const message = `must be at least requestBodyBytes, which is ${requestBodyBytes}: a body of that size could never be held`;
      context.addIssue({ code: 'custom', path: ['limits', 'bufferedBytes'], message });
    }
    const known = config.clusters.map((cluster) => cluster.name);
    const ids = new Set<string>();
    for (const [index, { cluster, candidateId }] of config.routes.entries()) {
      danglingReference(context, {
        path: ['routes', index, 'cluster'],
        what: 'cluster',
        name: cluster,
        known,
      });
      if (ids.has(candidateId)) {
        const message = `candidate "${candidateId}" has two routes; give one with all its paths`;
        context.addIssue({ code: 'custom', path: ['routes', index, 'candidateId'], message });
      }
      ids.add(candidateId);
    }
  });
