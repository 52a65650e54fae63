import { z } from 'zod';

/** An address to listen on. */
export interface ListenAddress {
  /** Host name or IP address. */
  readonly host: string;
  /** 0 to 65535; 0 lets the system choose a free one. */
  readonly port: number;
}

/** `{ host, port }` of a listener. `host` defaults to `127.0.0.1`; `port` is required, 0 picks a free one. */
export const listenSchema: z.ZodType<ListenAddress> = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  port: z.int().min(0).max(65_535),
});
