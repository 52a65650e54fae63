import type { ForwardOutcome } from '@switchyard/proxy-core-http';
import { headerValues } from '../http/raw-headers.ts';
import {
  GEN_AI_APIS,
  GEN_AI_METRICS,
  GEN_AI_OPERATIONS,
  type GenAiAttribute,
  type GenAiCall,
  type GenAiConvention,
  type GenAiLabel,
  genAiStreamAttributes,
} from '../telemetry/names/gen-ai.ts';
import type { SpanAttributes } from '../telemetry/names/span-definition.ts';
import { GEN_AI_BUCKETS_SECONDS } from './buckets.ts';
import type { LabelDefinition } from './definition.ts';
import type { Histogram } from './instruments.ts';
import type { MetricRegistry } from './registry.ts';
import type { Labels } from './series.ts';

/**
 * The metrics that the GenAI conventions ask of a client of a model. For the gateway that calls the model, and no other:
 * two hops that both have them would double every sum.
 */
export class GenAiMetrics {
  readonly duration: Histogram<GenAiLabel>;
  readonly timeToFirstChunk: Histogram<GenAiLabel>;
  readonly timePerOutputChunk: Histogram<GenAiLabel>;

  /** @param model - What bounds the values of the model label. */
  constructor(registry: MetricRegistry, model: LabelDefinition) {
    const labels: Readonly<Record<GenAiLabel, LabelDefinition>> = {
      gen_ai_operation_name: { help: 'What is asked of the model.', values: GEN_AI_OPERATIONS },
      gen_ai_provider_name: { help: 'Whose API is spoken.', values: GEN_AI_APIS },
      gen_ai_request_model: model,
    };
    const declare = (name: string, help: string): Histogram<GenAiLabel> =>
      registry.histogram({ name, help, unit: 'seconds', labels, buckets: GEN_AI_BUCKETS_SECONDS });
    this.duration = declare(
      GEN_AI_METRICS.duration,
      'Successful model calls, from the request to the last byte.',
    );
    this.timeToFirstChunk = declare(
      GEN_AI_METRICS.timeToFirstChunk,
      'Successful streamed model calls, from the request to the first byte of the answer.',
    );
    this.timePerOutputChunk = declare(
      GEN_AI_METRICS.timePerOutputChunk,
      'Streamed answers: from one piece of the body to the next, as they arrived.',
    );
  }
}

/** What a model call is watched with. */
interface ModelCallOptions {
  readonly metrics: GenAiMetrics;
  readonly call: GenAiCall;
  /** A value that the label is bounded to. */
  readonly model: string;
  readonly monotonicMs: () => number;
}

/** Watches one call of a model, from just before it is forwarded. Bodies are timed, never read. */
export class ModelCall {
  readonly #metrics: GenAiMetrics;
  readonly #labels: Labels<GenAiLabel>;
  readonly #now: () => number;
  readonly #startedMs: number;
  #streamed = false;
  #firstMs: number | undefined;
  #lastMs = 0;

  constructor({ metrics, call, model, monotonicMs }: ModelCallOptions) {
    this.#metrics = metrics;
    this.#labels = {
      gen_ai_operation_name: call.operation,
      gen_ai_provider_name: call.api,
      gen_ai_request_model: model,
    };
    this.#now = monotonicMs;
    this.#startedMs = monotonicMs();
  }

  /** The answer's head: a stream of events is one, and time per piece means something for it alone. */
  head(status: number, headers: readonly string[]): void {
    const type = headerValues(headers, 'content-type')[0] ?? '';
    this.#streamed = status < 400 && /^text\/event-stream\b/i.test(type);
  }

  /** A piece of the answer. Returns whether to see the next one. */
  piece(): boolean {
    if (!this.#streamed) return false;
    const now = this.#now();
    if (this.#firstMs === undefined) this.#firstMs = now;
    else this.#metrics.timePerOutputChunk.observe(this.#labels, (now - this.#lastMs) / 1000);
    this.#lastMs = now;
    return true;
  }

  /** The last byte has gone. @param traceId - Of the sampled trace; undefined when there is none. */
  end(outcome: ForwardOutcome, traceId: string | undefined): void {
    if (outcome.kind !== 'completed' || outcome.status >= 400) return;
    this.#metrics.duration.observe(this.#labels, (this.#now() - this.#startedMs) / 1000, traceId);
    const first = this.#secondsToFirst();
    if (first !== undefined) this.#metrics.timeToFirstChunk.observe(this.#labels, first, traceId);
  }

  /** What the CLIENT span says of a stream; nothing when it was none. */
  attributes(convention: GenAiConvention): SpanAttributes<GenAiAttribute> {
    const first = this.#secondsToFirst();
    return first === undefined ? {} : genAiStreamAttributes(convention, first);
  }

  #secondsToFirst(): number | undefined {
    return this.#firstMs === undefined ? undefined : (this.#firstMs - this.#startedMs) / 1000;
  }
}
