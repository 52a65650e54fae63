import type { AttributeCatalogue, SpanAttributes } from './span-definition.ts';

/**
 * Every GenAI name of this repository stands in this file: the conventions are in development and change.
 * https://github.com/open-telemetry/semantic-conventions-genai
 *
 * `default` is what most back ends read today (`gen_ai.system`); `latest` what came after version 1.36, chosen by
 * `OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental`.
 */
export type GenAiConvention = 'default' | 'latest';

/** Attributes of the one span that calls a model. */
export type GenAiAttribute =
  | 'gen_ai.operation.name'
  | 'gen_ai.request.model'
  | 'gen_ai.system'
  | 'gen_ai.provider.name'
  | 'gen_ai.request.stream'
  | 'gen_ai.response.time_to_first_chunk';

/** Operations that the gateways can name. */
export const GEN_AI_OPERATIONS = ['chat', 'text_completion', 'embeddings'] as const;

type GenAiOperation = (typeof GEN_AI_OPERATIONS)[number];

/** Whose API is spoken; who really serves is not known to a gateway. */
export const GEN_AI_APIS = ['openai', 'anthropic'] as const;

type GenAiApi = (typeof GEN_AI_APIS)[number];

/** One of the calls that the conventions describe. */
export interface GenAiCall {
  readonly operation: GenAiOperation;
  readonly api: GenAiApi;
}

/** Metric names, in Prometheus' spelling: dots become underscores, the unit comes last. */
export const GEN_AI_METRICS = {
  duration: 'gen_ai_client_operation_duration_seconds',
  timeToFirstChunk: 'gen_ai_client_operation_time_to_first_chunk_seconds',
  timePerOutputChunk: 'gen_ai_client_operation_time_per_output_chunk_seconds',
} as const;

/** Metric labels. */
export type GenAiLabel = 'gen_ai_operation_name' | 'gen_ai_provider_name' | 'gen_ai_request_model';

/** Documents {@link GenAiAttribute}. */
export const GEN_AI_ATTRIBUTES: AttributeCatalogue<GenAiAttribute> = {
  'gen_ai.operation.name': { type: 'string', help: 'What is asked of the model.', values: GEN_AI_OPERATIONS },
  'gen_ai.request.model': {
    type: 'string',
    help: 'Model that the call is for.',
    bound: 'configured models, and those of the overlay',
  },
  'gen_ai.system': { type: 'string', help: 'Whose API is spoken. Default names only.', values: GEN_AI_APIS },
  'gen_ai.provider.name': {
    type: 'string',
    help: 'The same under its newer name. With `gen_ai_latest_experimental` only.',
    values: GEN_AI_APIS,
  },
  'gen_ai.request.stream': {
    type: 'boolean',
    help: 'True when the answer is a stream of events. With `gen_ai_latest_experimental` only.',
    values: [true],
  },
  'gen_ai.response.time_to_first_chunk': {
    type: 'double',
    help: 'Seconds to the first byte of a streamed answer. With `gen_ai_latest_experimental` only.',
    bound: 'a number',
  },
};

const CALLS: ReadonlyMap<string, GenAiCall> = new Map([
  ['/v1/chat/completions', { operation: 'chat', api: 'openai' }],
  ['/v1/completions', { operation: 'text_completion', api: 'openai' }],
  ['/v1/embeddings', { operation: 'embeddings', api: 'openai' }],
  ['/v1/responses', { operation: 'chat', api: 'openai' }],
  ['/v1/messages', { operation: 'chat', api: 'anthropic' }],
]);

/** The call that a request to this path makes; undefined for a path that is no model call as the conventions know it. */
export function genAiCall(path: string): GenAiCall | undefined {
  return CALLS.get(path);
}

/** What is known of a call when it begins. */
export function genAiAttributes(
  convention: GenAiConvention,
  call: GenAiCall & { readonly model: string },
): SpanAttributes<GenAiAttribute> {
  return {
    'gen_ai.operation.name': call.operation,
    'gen_ai.request.model': call.model,
    ...(convention === 'latest' ? { 'gen_ai.provider.name': call.api } : { 'gen_ai.system': call.api }),
  };
}

/** What is known of a streamed answer when it has ended. */
export function genAiStreamAttributes(
  convention: GenAiConvention,
  secondsToFirstChunk: number,
): SpanAttributes<GenAiAttribute> {
  return convention === 'latest'
    ? { 'gen_ai.request.stream': true, 'gen_ai.response.time_to_first_chunk': secondsToFirstChunk }
    : {};
}
