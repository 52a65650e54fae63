import type { Router } from '@switchyard/ai-route';
import { nearest } from '@switchyard/gateway-kit';
import type { GatewayFailure } from '../answer/gateway-failure.ts';
import { quoted } from '../request/identify-model.ts';

/** After this time the overlay has been looked at again even if no file event came (the default poll interval). */
const RETRY_AFTER_SECONDS = 5;
/** Names shown in a message; a gateway may know a thousand. */
const NAMES_SHOWN_MAX = 5;

/** The answer when the router names no candidate. No provider was called. */
export function noRouteFailure(
  router: Router,
  model: string,
  reason: 'unknown_capability' | 'no_viable_candidate' | 'not_ready',
): GatewayFailure {
  if (reason === 'not_ready') return notReady;
  if (reason === 'unknown_capability') return modelNotFound(model, routableModels(router));
  return {
    status: 503,
    code: 'no_viable_provider',
    message: `no provider of the model ${quoted(model)} takes new requests now; try again later`,
    param: 'model',
    outcome: 'no_provider',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  };
}

/** HTTP 503 while there is no overlay: neither the model nor its absence is known. */
export const notReady: GatewayFailure = {
  status: 503,
  code: 'not_ready',
  message: 'the gateway waits for its first routing overlay; try again later',
  param: null,
  outcome: 'no_provider',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
};

/** HTTP 404 that names close matches, or some of what there is. */
export function modelNotFound(model: string, known: readonly string[]): GatewayFailure {
  const close = nearest(model, known).slice(0, NAMES_SHOWN_MAX);
  const hint =
    close.length > 0
      ? `; did you mean ${close.map(quoted).join(' or ')}?`
      : `; GET /v1/models lists the ${known.length} that ${known.length === 1 ? 'is' : 'are'}`;
  return {
    status: 404,
    code: 'model_not_found',
    message: `the model ${quoted(model)} is not routed here${hint}`,
    param: 'model',
    outcome: 'client_error',
  };
}

/** Names of the models that the serving snapshot knows. */
export function routableModels(router: Router): string[] {
  const names: string[] = [];
  for (const { kind, name } of router.capabilities()) if (kind === 'inference_model') names.push(name);
  return names;
}
