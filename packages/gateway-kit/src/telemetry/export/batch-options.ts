/** How spans wait for their export. */
export interface BatchOptions {
  /** How long the first span of a batch waits for company. Default 5000. */
  readonly scheduleDelayMs: number;
  /** How long an export may take before it counts as failed. Default 30000. */
  readonly exportTimeoutMs: number;
  /** Spans that wait at most; further ones are dropped. Default 2048. */
  readonly maxQueueSize: number;
  /** Spans per export at most. Default 512. */
  readonly maxBatchSize: number;
}

/** Reads `OTEL_BSP_*`. A value that is no positive whole number is warned of and ignored, as the specification says. */
export function resolveBatchOptions(env: NodeJS.ProcessEnv, warn: (message: string) => void): BatchOptions {
  const read = (name: string, fallback: number): number => {
    const text = env[name]?.trim() ?? '';
    if (text === '') return fallback;
    const value = Number(text);
    if (Number.isSafeInteger(value) && value > 0) return value;
    warn(`${name}: found ${JSON.stringify(text)}, expected a positive whole number; using ${fallback}`);
    return fallback;
  };
  const maxQueueSize = read('OTEL_BSP_MAX_QUEUE_SIZE', 2048);
  return {
    scheduleDelayMs: read('OTEL_BSP_SCHEDULE_DELAY', 5000),
    exportTimeoutMs: read('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    maxQueueSize,
    maxBatchSize: Math.min(read('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512), maxQueueSize),
  };
}
