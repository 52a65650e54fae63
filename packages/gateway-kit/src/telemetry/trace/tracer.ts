import {
  type Context,
  type Span,
  type SpanContext,
  type SpanKind,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { RandomIdGenerator, type SpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { SpanStarter } from '../telemetry.ts';
import { type AttributeLimits, limitAttributes } from './attribute-limits.ts';
import { RecordedSpan, type SpanOrigin } from './recorded-span.ts';
import type { Sampler } from './sampler.ts';
import { SpanClock } from './span-clock.ts';

/** What a {@link GatewayTracer} is made from. */
export interface GatewayTracerOptions {
  readonly name: string;
  readonly resource: Resource;
  readonly sampler: Sampler;
  readonly limits: AttributeLimits;
  /** Each is handed every span that is sampled, when it has ended. */
  readonly processors: readonly SpanProcessor[];
  readonly clock?: SpanClock;
}

/**
 * A tracer for what gateways do: spans with attributes known beforehand, below a parent that is handed over. It stands in
 * for the SDK's because that one costs several times as much per span, on the path of every request; ids, ratio
 * sampling, resources and exporters are the SDK's. `onStart` of a processor is never called: none of ours does anything then.
 */
export class GatewayTracer implements SpanStarter {
  readonly #sampler: Sampler;
  readonly #ids = new RandomIdGenerator();
  readonly #origin: SpanOrigin;

  constructor({
    name,
    resource,
    sampler,
    limits,
    processors,
    clock = new SpanClock(),
  }: GatewayTracerOptions) {
    this.#sampler = sampler;
    // The default is more than any span of ours has: then nothing needs to be counted.
    const unlimited = limits.count >= 128 && limits.valueLength === Number.POSITIVE_INFINITY;
    this.#origin = {
      resource,
      scope: { name },
      now: () => clock.now(),
      ended: (span) => {
        if (!unlimited) applyLimits(span, limits);
        for (const processor of processors) processor.onEnd(span);
      },
    };
  }

  startSpan(name: string, { kind }: { readonly kind: SpanKind }, above: Context): Span {
    const parent = trace.getSpanContext(above);
    const traceId = parent?.traceId ?? this.#ids.generateTraceId();
    const sampled = this.#sampler(traceId, parent);
    const context: SpanContext = {
      traceId,
      spanId: this.#ids.generateSpanId(),
      traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      ...(parent?.traceState === undefined ? {} : { traceState: parent.traceState }),
    };
    return sampled
      ? new RecordedSpan(this.#origin, { name, kind, context, parent })
      : trace.wrapSpanContext(context);
  }
}

function applyLimits(span: RecordedSpan, limits: AttributeLimits): void {
  const { attributes, dropped } = limitAttributes(span.attributes, limits);
  span.replaceAttributes(attributes, dropped);
}
