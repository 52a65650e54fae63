import { type ListenAddress, listenSchema } from '@switchyard/gateway-kit';
import { z } from 'zod';
import { DEFAULT_IGNORE } from './match/request-key.ts';

/** The app's config file, defaults applied. */
export interface VcrConfig {
  /** Where the OpenAI-style API is served. */
  readonly listen: ListenAddress;
  /** Where `/livez`, `/readyz` and `/metrics` are served. Default: nowhere. */
  readonly admin?: ListenAddress | undefined;
  /** What the app does. Default, and in this version the only one: `replay`. */
  readonly mode: 'replay' | 'record' | 'simulate';
  /** Folder of the cassettes, relative to the config file. */
  readonly cassettes: string;
  /** Name of this process in reply lines and in `service.instance.id`. Default: `vcr-backend`. */
  readonly instance: string;
  /** Pace of the replay: 1 as recorded (default), 10 ten times faster, 0 without any waiting. */
  readonly speed: number;
  /** Top-level body members that take no part in matching. Default: `user`, `metadata`, `stream_options`. */
  readonly ignore: readonly string[];
  /** For `record`; without effect in `replay`, which never dials out. */
  readonly upstream?: { readonly url: string } | undefined;
  /** For `simulate`; without effect in `replay`. */
  readonly simulate?: SimulateConfig | undefined;
}

/** Keys of the simulator, known so that one file can serve all modes. */
interface SimulateConfig {
  /** Time to the first token, in milliseconds. */
  readonly ttftMs?: number | undefined;
  /** Time between tokens, in milliseconds. */
  readonly itlMs?: number | undefined;
  /** Requests in work at once. */
  readonly maxConcurrent?: number | undefined;
}

const modeSchema = z
  .enum(['replay', 'record', 'simulate'])
  .default('replay')
  .refine((mode) => mode === 'replay', {
    error: ({ input }) =>
      `mode ${JSON.stringify(input)} is not built yet: this version replays only. Use "replay"`,
  });

/** Judges the config file. */
export const vcrConfigSchema: z.ZodType<VcrConfig> = z.strictObject({
  listen: listenSchema,
  admin: listenSchema.optional(),
  mode: modeSchema,
  cassettes: z.string().min(1),
  instance: z.string().min(1).max(256).default('vcr-backend'),
  speed: z.number().min(0).default(1),
  ignore: z.array(z.string().min(1)).default([...DEFAULT_IGNORE]),
  upstream: z.strictObject({ url: z.url() }).optional(),
  simulate: z
    .strictObject({
      ttftMs: z.number().min(0).optional(),
      itlMs: z.number().min(0).optional(),
      maxConcurrent: z.int().min(1).optional(),
    })
    .optional(),
});
