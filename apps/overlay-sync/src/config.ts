import { type ListenAddress, listenSchema } from '@switchyard/gateway-kit';
import { CANDIDATES_MAX, type OverlayScope } from '@switchyard/overlay-contract';
import { z } from 'zod';
import type { ApiAccessConfig } from './source/config-map/api-access.ts';
import { OVERLAY_FILE } from './source/file-source.ts';

/** A watched ConfigMap. */
interface ConfigMapConfig extends ApiAccessConfig {
  /** Key of the ConfigMap's `data`. */
  readonly key: string;
}

/** Config of overlay-sync, resolved. */
export interface SyncConfig {
  /** Exactly one of the two. */
  readonly source: {
    /** A file, or a folder that holds `routing-overlay.json`. */
    readonly file?: string | undefined;
    readonly configMap?: ConfigMapConfig | undefined;
  };
  /** The file that takes the overlay. */
  readonly output: string;
  /** For whom an overlay must be. */
  readonly expectedScope: OverlayScope;
  readonly maxBytes: number;
  readonly maxCandidates: number;
  readonly admin: ListenAddress;
  /** Silence of the Kubernetes API, in milliseconds, after which the connection is no longer believed in. */
  readonly staleAfterMs: number;
  readonly backOff: {
    readonly initialMs: number;
    readonly maxMs: number;
    /** A watch that lived this long makes the next failure a first failure. */
    readonly resetAfterMs: number;
  };
  readonly reload: {
    /** How long a folder must be quiet before it is looked at, in milliseconds. */
    readonly debounceMs: number;
    /** How often files are looked at although no event came, in milliseconds. */
    readonly pollMs: number;
  };
}

const name = z.string().min(1).max(256);
const MIB = 1024 * 1024;

/** What Kubernetes takes; anything else would only be refused by the API, or point to another path of it. */
const kubernetesName = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/,
    'expected a Kubernetes name: lower-case letters, digits, - and .',
  );
const namespaceName = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'expected a namespace: lower-case letters, digits and -');
const dataKey = z
  .string()
  .max(253)
  .regex(/^[-._A-Za-z0-9]+$/, 'expected a key of a ConfigMap: letters, digits, -, _ and .');

const configMapSchema: z.ZodType<ConfigMapConfig> = z.strictObject({
  namespace: namespaceName.optional(),
  name: kubernetesName,
  key: dataKey.default(OVERLAY_FILE),
  server: z.url({ protocol: /^https?$/, error: 'expected a URL like https://host:port' }).optional(),
  tokenFile: z.string().min(1).optional(),
  caFile: z.string().min(1).optional(),
  insecureSkipTlsVerify: z.boolean().default(false),
  requestTimeoutMs: z.int().min(1).max(600_000).default(10_000),
});

/** Judges the config file. */
export const configSchema: z.ZodType<SyncConfig> = z.strictObject({
  source: z
    .strictObject({ file: z.string().min(1).optional(), configMap: configMapSchema.optional() })
    .refine(({ file, configMap }) => (file === undefined) !== (configMap === undefined), {
      error: 'expected exactly one of file and configMap',
    }),
  output: z.string().min(1),
  expectedScope: z.strictObject({ network: name, gateway: name, namespace: name, localSite: name }),
  maxBytes: z
    .int()
    .min(1)
    .max(64 * MIB)
    .default(MIB),
  maxCandidates: z.int().min(1).default(CANDIDATES_MAX),
  admin: listenSchema.default({ host: '127.0.0.1', port: 0 }),
  staleAfterMs: z.int().min(1).max(86_400_000).default(180_000),
  backOff: z
    .strictObject({
      initialMs: z.int().min(1).max(3_600_000).default(1_000),
      maxMs: z.int().min(1).max(3_600_000).default(30_000),
      resetAfterMs: z.int().min(0).max(3_600_000).default(60_000),
    })
    .refine(({ initialMs, maxMs }) => initialMs <= maxMs, { error: 'expected initialMs up to maxMs' })
    .default({ initialMs: 1_000, maxMs: 30_000, resetAfterMs: 60_000 }),
  reload: z
    .strictObject({
      debounceMs: z.int().min(0).max(60_000).default(100),
      pollMs: z.int().min(10).max(3_600_000).default(5_000),
    })
    .default({ debounceMs: 100, pollMs: 5_000 }),
});
