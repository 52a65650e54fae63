import { type ListenAddress, listenSchema } from '@switchyard/gateway-kit';
import { z } from 'zod';

/** Config of the controller, resolved. */
export interface ControllerConfig {
  readonly admin: ListenAddress;
  /** Folder with the manifests. */
  readonly resources: string;
  readonly publish: {
    /** Folder that takes the overlay. `{network}`, `{namespace}` and `{gateway}` stand for the gateway's names. */
    readonly directory: string;
  };
  readonly probe: {
    readonly enabled: boolean;
    /** Failed probes in a row that take a provider out. */
    readonly failureThreshold: number;
  };
  readonly reload: {
    /** How long the folder must be quiet before it is read again, in milliseconds. */
    readonly debounceMs: number;
    /** How often the folder is read although no event came, in milliseconds. */
    readonly pollMs: number;
  };
}

/** Judges the config file. */
export const configSchema: z.ZodType<ControllerConfig> = z.strictObject({
  admin: listenSchema.default({ host: '127.0.0.1', port: 0 }),
  resources: z.string().min(1),
  publish: z.strictObject({ directory: z.string().min(1) }),
  probe: z
    .strictObject({
      enabled: z.boolean().default(true),
      failureThreshold: z.int().min(1).max(100).default(2),
    })
    .default({ enabled: true, failureThreshold: 2 }),
  reload: z
    .strictObject({
      debounceMs: z.int().min(0).max(60_000).default(100),
      pollMs: z.int().min(100).max(3_600_000).default(5_000),
    })
    .default({ debounceMs: 100, pollMs: 5_000 }),
});
