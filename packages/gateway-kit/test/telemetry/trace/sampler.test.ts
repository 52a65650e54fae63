import type { SpanContext } from '@opentelemetry/api';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-node';
import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSampler, type Sampler } from '../../../src/telemetry/trace/sampler.ts';

const ID = 'f'.repeat(32);

function parent(traceFlags: number): SpanContext {
  return { traceId: ID, spanId: '1'.repeat(16), traceFlags };
}

function read(name?: string, ratio?: string): { sampler: Sampler; warnings: string[] } {
  const warnings: string[] = [];
  const env = {
    ...(name === undefined ? {} : { OTEL_TRACES_SAMPLER: name }),
    ...(ratio === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: ratio }),
  };
  return { sampler: readSampler(env, (message) => warnings.push(message)), warnings };
}

describe('readSampler', () => {
  it.each([
    // name, ratio, then what becomes of a root, below "not sampled", below "sampled"
    ['always_on', undefined, true, true, true],
    ['always_off', undefined, false, false, false],
    ['traceidratio', '0', false, false, false],
    ['traceidratio', '1', true, true, true],
    ['parentbased_always_on', undefined, true, false, true],
    ['parentbased_always_off', undefined, false, false, true],
    ['parentbased_traceidratio', '0', false, false, true],
    ['parentbased_traceidratio', '1', true, false, true],
    [undefined, undefined, true, false, true],
    ['', '0', true, false, true],
  ])('%s %s', (name, ratio, root, below0, below1) => {
    const { sampler, warnings } = read(name, ratio);
    expect([sampler(ID, undefined), sampler(ID, parent(0)), sampler(ID, parent(1))]).toEqual([
      root,
      below0,
      below1,
    ]);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['sometimes', undefined, 'OTEL_TRACES_SAMPLER: found "sometimes", expected one of always_on'],
    ['toString', undefined, 'OTEL_TRACES_SAMPLER: found "toString"'],
    ['traceidratio', '7', 'OTEL_TRACES_SAMPLER_ARG: found "7", expected a ratio from 0 to 1; using 1'],
    ['traceidratio', 'half', 'OTEL_TRACES_SAMPLER_ARG: found "half"'],
    ['parentbased_traceidratio', undefined, 'OTEL_TRACES_SAMPLER_ARG: found nothing'],
  ])('%s %s is warned of, and everything is kept', (name, ratio, warning) => {
    const { sampler, warnings } = read(name, ratio);
    expect(sampler(ID, undefined)).toBe(true);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(warning);
  });

  it('keeps the traces that OpenTelemetry’s sampler of the same ratio keeps', () => {
    const agrees = (make: (ratio: number) => Sampler): void =>
      fc.assert(
        fc.property(
          // No doubles: nearly all of those are as good as 0.
          fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000),
          fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 }),
          (ratio, id) => {
            const theirs = new TraceIdRatioBasedSampler(ratio).shouldSample({} as never, id).decision;
            expect(make(ratio)(id, undefined)).toBe(theirs === SamplingDecision.RECORD_AND_SAMPLED);
          },
        ),
      );
    agrees((ratio) => read('traceidratio', String(ratio)).sampler);
    expectCaught(() => agrees((ratio) => (id) => Number.parseInt(id.slice(0, 8), 16) / 2 ** 32 < ratio));
  });
});
