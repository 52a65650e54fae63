import { ROOT_CONTEXT, type SpanContext, TraceFlags } from '@opentelemetry/api';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-node';

/** Whether a span is recorded and sent. `parent` is the span above it, on either side of the wire. */
export type Sampler = (traceId: string, parent: SpanContext | undefined) => boolean;

const DEFAULT = 'parentbased_always_on';

/** The samplers of the specification; `ratio` is asked for only by those that have one. */
const SAMPLERS: Readonly<Record<string, (ratio: () => number) => Sampler>> = {
  always_on: () => () => true,
  always_off: () => () => false,
  traceidratio: (ratio) => byTraceId(ratio()),
  parentbased_always_on: () => parentBased(() => true),
  parentbased_always_off: () => parentBased(() => false),
  parentbased_traceidratio: (ratio) => parentBased(byTraceId(ratio())),
};

/**
 * Reads `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`. An unknown sampler is warned of and taken as
 * `parentbased_always_on`, a missing or bad ratio as 1.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration
 */
export function readSampler(env: NodeJS.ProcessEnv, warn: (message: string) => void): Sampler {
  const read = (name: string): string => env[name]?.trim() ?? '';
  const ratio = (): number => {
    const text = read('OTEL_TRACES_SAMPLER_ARG');
    const value = Number(text);
    if (text !== '' && value >= 0 && value <= 1) return value;
    const found = text === '' ? 'found nothing' : `found ${JSON.stringify(text)}`;
    warn(`OTEL_TRACES_SAMPLER_ARG: ${found}, expected a ratio from 0 to 1; using 1`);
    return 1;
  };
  const name = read('OTEL_TRACES_SAMPLER');
  const make = Object.hasOwn(SAMPLERS, name) ? SAMPLERS[name] : undefined;
  if (make !== undefined) return make(ratio);
  if (name !== '') {
    const known = Object.keys(SAMPLERS).join(', ');
    warn(`OTEL_TRACES_SAMPLER: found ${JSON.stringify(name)}, expected one of ${known}; using ${DEFAULT}`);
  }
  return parentBased(() => true);
}

/** What the parent decided holds for all below it; only a root is asked about. */
function parentBased(root: Sampler): Sampler {
  return (traceId, parent) =>
    parent === undefined ? root(traceId, undefined) : (parent.traceFlags & TraceFlags.SAMPLED) !== 0;
}

/** OpenTelemetry's own reckoning, so that other services with the same ratio keep the same traces. */
function byTraceId(ratio: number): Sampler {
  const sampler = new TraceIdRatioBasedSampler(ratio);
  return (traceId) =>
    sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
}
