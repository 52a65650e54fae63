import type { ReloadOptions } from '@switchyard/ai-route';
import { z } from 'zod';

/** How the overlay file is followed, after validation, with defaults applied. */
export interface ReloadConfig extends ReloadOptions {
  readonly enabled: boolean;
  readonly debounceMs: number;
  readonly pollMs: number;
  readonly onMissing: 'refuse' | 'wait';
  readonly rollback: 'accept' | 'refuse';
}

/** What an overlay may cost. */
export interface OverlayLimitsConfig {
  readonly bytes: number;
  readonly candidates: number;
}

/** How the overlay file is followed. */
export const reloadSchema: z.ZodType<ReloadConfig> = z
  .strictObject({
    /** Whether the overlay file is watched. */
    enabled: z.boolean().default(true),
    /** Quiet time after a file event before the file is read again. */
    debounceMs: z.int().min(0).max(60_000).default(100),
    /** Interval of the safety net under the file events. */
    pollMs: z.int().min(10).max(3_600_000).default(5000),
    /** Whether to start without a valid overlay and answer 503 until there is one. */
    onMissing: z.enum(['refuse', 'wait']).default('refuse'),
    /** Where the last accepted overlay is kept, to start from when the overlay file is absent or bad. */
    lastGoodFile: z.string().min(1).exactOptional(),
    /** Whether an older generation of the same source is served. */
    rollback: z.enum(['accept', 'refuse']).default('accept'),
    /** Oldest overlay that counts as good, by the time its producer rendered it. */
    maxAgeSeconds: z.int().min(1).max(315_360_000).exactOptional(),
    /** Whether the gateway stays ready with an older one. */
    onExpired: z.enum(['serve', 'unready']).exactOptional(),
  })
  .superRefine((reload, context) => {
    const refuse = (key: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [key], message });
    if (reload.onMissing === 'wait' && !reload.enabled)
      refuse('onMissing', '"wait" needs "enabled": nobody would look for the overlay');
    if (reload.onExpired !== undefined && reload.maxAgeSeconds === undefined)
      refuse('onExpired', '"onExpired" has no effect without "maxAgeSeconds"');
  });

/** What an overlay may cost. */
export const overlayLimitsSchema: z.ZodType<OverlayLimitsConfig> = z.strictObject({
  /** Longest overlay file, in bytes. */
  bytes: z.int().min(1).max(1_073_741_824).default(2_097_152),
  /** Most candidates. */
  candidates: z.int().min(1).max(1_000_000).default(1024),
});
