import { z } from 'zod';
import type { ListenAddress } from '../config/schemas.ts';

/** The `shutdown` member of a gateway's config file. */
export interface ShutdownConfig {
  /**
   * How long a gateway that was told to stop goes on accepting while it says "not ready", in milliseconds: the time that
   * load balancers need to notice. Default: 0 on a loopback address, where none can be in front, else 5000.
   */
  readonly delayMs?: number | undefined;
  /** How long running requests and streams may go on after that, in milliseconds; then they are cut off. Default 15000. */
  readonly drainMs: number;
}

/** A day: nobody waits longer on purpose. */
const LONGEST_MS = 86_400_000;

/** Judges the `shutdown` member; use it with `.prefault({})`. */
export const shutdownSchema: z.ZodType<ShutdownConfig, unknown> = z.strictObject({
  delayMs: z.int().min(0).max(LONGEST_MS).optional(),
  drainMs: z.int().min(0).max(LONGEST_MS).default(15_000),
});

/** {@link ShutdownConfig} with every default filled in. */
export interface ResolvedShutdown {
  readonly delayMs: number;
  readonly drainMs: number;
}

/** A balancer's checks come every few seconds, and Kubernetes takes about two to take an endpoint out. */
const BALANCED_DELAY_MS = 5000;

/** What is left after the cut for spans, logs and the admin port. */
const LAST_WORK_MS = 5000;

/** Fills in the delay by where the gateway listens. */
export function resolveShutdown(shutdown: ShutdownConfig, listen: ListenAddress): ResolvedShutdown {
  const delayMs = shutdown.delayMs ?? (isLoopback(listen.host) ? 0 : BALANCED_DELAY_MS);
  return { delayMs, drainMs: shutdown.drainMs };
}

/** When a process that was told to stop is ended whatever it does, in milliseconds. */
export function shutdownDeadlineMs({ delayMs, drainMs }: ResolvedShutdown): number {
  return delayMs + drainMs + LAST_WORK_MS;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
