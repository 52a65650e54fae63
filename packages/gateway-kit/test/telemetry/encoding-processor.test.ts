import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import type { BatchOptions } from '../../src/telemetry/export/batch-options.ts';
import { resolveBatchOptions } from '../../src/telemetry/export/batch-options.ts';
import { EncodingProcessor } from '../../src/telemetry/export/encoding-processor.ts';
import { SpanEncoder } from '../../src/telemetry/export/span-encoder.ts';

/** A processor whose exports end when and how the test says. */
function setUp(batch: Partial<BatchOptions> = {}): {
  processor: EncodingProcessor;
  spans: (count: number) => void;
  exports: { readonly request: Uint8Array; readonly end: (error?: Error) => void }[];
  warnings: string[];
} {
  const exports: { request: Uint8Array; end: (error?: Error) => void }[] = [];
  const warnings: string[] = [];
  const processor = new EncodingProcessor({
    encoder: new SpanEncoder(),
    batch: { ...resolveBatchOptions({}, () => undefined), scheduleDelayMs: 600_000, ...batch },
    warn: (message) => warnings.push(message),
    close: () => Promise.resolve(),
    send: (request) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error): void => (error === undefined ? resolve() : reject(error));
        exports.push({ request, end });
      }),
  });
  const tracer = new NodeTracerProvider({ spanProcessors: [processor] }).getTracer('test');
  const spans = (count: number): void => {
    for (let n = 0; n < count; n += 1) tracer.startSpan('one').end();
  };
  return { processor, spans, exports, warnings };
}

describe('EncodingProcessor', () => {
  it('sends a full batch at once, and one at a time', async () => {
    const { spans, exports } = setUp({ maxBatchSize: 10 });
    spans(35);
    expect(exports).toHaveLength(1);
    for (const count of [2, 3]) {
      exports.at(-1)?.end();
      await waitUntil(() => exports.length === count);
    }
    exports.at(-1)?.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(exports).toHaveLength(3);
  });

  it('sends a started batch after its delay', async () => {
    const { spans, exports } = setUp({ scheduleDelayMs: 1 });
    spans(3);
    await waitUntil(() => exports.length === 1);
  });

  it('drops what is more than may wait, and says how many once', async () => {
    const { processor, spans, exports, warnings } = setUp({ maxBatchSize: 10, maxQueueSize: 30 });
    // Ten leave at once and don't wait any more.
    spans(100);
    const flushed = processor.forceFlush();
    for (let n = 0; n < 4; n += 1) {
      await waitUntil(() => exports.length > n);
      exports[n]?.end();
    }
    await flushed;
    expect(exports).toHaveLength(4);
    expect(warnings).toEqual(['dropped 60 spans: 30 were waiting already (OTEL_BSP_MAX_QUEUE_SIZE)']);
  });

  it('goes on after an export that failed, and says so', async () => {
    const { spans, exports, warnings } = setUp({ maxBatchSize: 1 });
    spans(2);
    exports[0]?.end(new Error('503'));
    await waitUntil(() => exports.length === 2);
    expect(warnings).toEqual(['an export failed, its spans are lost: Error: 503']);
  });

  it('goes on after an export that never ends', async () => {
    const { spans, exports, warnings } = setUp({ maxBatchSize: 1, exportTimeoutMs: 5 });
    spans(2);
    await waitUntil(() => exports.length === 2);
    expect(warnings[0]).toContain('did not answer within 5 ms');
  });

  it('flush rejects when a batch was not taken, after all of them were tried', async () => {
    const { processor, spans, exports } = setUp();
    spans(1);
    const flushed = processor.forceFlush();
    await waitUntil(() => exports.length === 1);
    exports[0]?.end(new Error('no'));
    await expect(flushed).rejects.toThrow('no');
  });

  it('shutdown sends what waits, and takes nothing after it', async () => {
    const { processor, spans, exports } = setUp();
    spans(2);
    const ended = processor.shutdown();
    spans(2);
    await waitUntil(() => exports.length === 1);
    exports[0]?.end();
    await ended;
    expect(exports).toHaveLength(1);
  });
});

describe('resolveBatchOptions', () => {
  it('has the defaults of the specification; a batch is never larger than the queue', () => {
    expect(resolveBatchOptions({}, expect.unreachable)).toEqual({
      scheduleDelayMs: 5000,
      exportTimeoutMs: 30_000,
      maxQueueSize: 2048,
      maxBatchSize: 512,
    });
    expect(resolveBatchOptions({ OTEL_BSP_MAX_QUEUE_SIZE: '20' }, expect.unreachable).maxBatchSize).toBe(20);
  });

  it.each(['0', '-1', '1.5', 'many'])('warns of %s and uses the default', (value) => {
    const warnings: string[] = [];
    const options = resolveBatchOptions({ OTEL_BSP_MAX_QUEUE_SIZE: value }, (text) => warnings.push(text));
    expect(options.maxQueueSize).toBe(2048);
    expect(warnings).toEqual([
      `OTEL_BSP_MAX_QUEUE_SIZE: found "${value}", expected a positive whole number; using 2048`,
    ]);
  });
});
