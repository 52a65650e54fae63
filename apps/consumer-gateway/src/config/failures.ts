import { z } from 'zod';

const DAY_MS = 86_400_000;

/** How often and how patiently a request is tried; after validation, with defaults applied. */
export interface RetryConfig {
  readonly attempts: number;
  readonly perTryFirstByteMs: number;
  readonly perTryUnstreamedFirstByteMs?: number;
  readonly withinMs: number;
  readonly budget: { readonly ratio: number; readonly minConcurrent: number };
}

/** When a candidate that fails is left alone; after validation, with defaults applied. */
export interface ViabilityConfig {
  readonly enabled: boolean;
  readonly consecutiveFailures: number;
  readonly ejectionMs: number;
  readonly maxEjectionMs: number;
  readonly retryAfterMaxMs: number;
  readonly jitter: number;
}

/** How often and how patiently a request is tried. */
export const retrySchema: z.ZodType<RetryConfig> = z.strictObject({
  /** Attempts per client request, the first one included. */
  attempts: z.int().min(1).max(16).default(3),
  /** Longest wait of one attempt for its first body byte. 0 = no limit. */
  perTryFirstByteMs: z.int().min(0).max(DAY_MS).default(30_000),
  /** The same where no stream was asked for: the first byte comes when the whole answer is made. Default: as above. */
  perTryUnstreamedFirstByteMs: z.int().min(0).max(DAY_MS).exactOptional(),
  /** No further attempt starts later than this after its request did. 0 = no limit. */
  withinMs: z.int().min(0).max(DAY_MS).default(60_000),
  budget: z
    .strictObject({
      /** Share of a model's requests in flight that may be past their first attempt. */
      ratio: z.number().min(0).max(1).default(0.2),
      /** How many may be in any case. */
      minConcurrent: z.int().min(0).max(1_000_000).default(10),
    })
    .prefault({}),
});

/** When a candidate that fails is left alone. */
export const viabilitySchema: z.ZodType<ViabilityConfig> = z
  .strictObject({
    enabled: z.boolean().default(true),
    /** Failures in a row that eject a candidate. 0 = failures don't. */
    consecutiveFailures: z.int().min(0).max(10_000).default(5),
    /** How long the first ejection lasts; each further one in a row twice as long. */
    ejectionMs: z.int().min(1).max(DAY_MS).default(10_000),
    /** Longest ejection. */
    maxEjectionMs: z.int().min(1).max(DAY_MS).default(300_000),
    /** Longest `Retry-After` of a 429 or 503 that is obeyed. 0 = none is. */
    retryAfterMaxMs: z.int().min(0).max(DAY_MS).default(60_000),
    /** The part of an ejection that is drawn by lot and left out. */
    jitter: z.number().min(0).max(1).default(0.2),
  })
  .superRefine(({ ejectionMs, maxEjectionMs }, context) => {
    if (maxEjectionMs >= ejectionMs) return;
    const message = `must be at least "ejectionMs", which is ${ejectionMs}`;
    context.addIssue({ code: 'custom', path: ['maxEjectionMs'], message });
  });
