import type { Router } from '@switchyard/ai-route';
import { type Asked, nearest, quoted } from '@switchyard/gateway-kit';
import { badRequest, type GatewayFailure } from '../answer/gateway-failure.ts';

/** After this time the overlay has been looked at again even if no file event came (the default poll interval). */
const RETRY_AFTER_SECONDS = 5;
/** Names shown in a message; a gateway may know a thousand. */
const NAMES_SHOWN_MAX = 5;

/** The answer when the router names no candidate. No provider was called. */
export function noRouteFailure(
  router: Router,
  asked: Pick<Asked, 'kind' | 'name'>,
  reason: 'unknown_capability' | 'no_viable_candidate' | 'state_unavailable' | 'not_ready',
): GatewayFailure {
  if (reason === 'not_ready') return notReady;
  const { kind, name } = asked;
  if (reason === 'unknown_capability') {
    if (kind === 'mcp_tool') return toolNotFound(name, namesOf(router, kind));
    return name === undefined ? responseNotFound : modelNotFound(name, namesOf(router, kind));
  }
  if (reason === 'state_unavailable') return stateUnavailable;
  const what = kind === 'mcp_tool' ? 'tool' : 'model';
  return {
    status: 503,
    code: 'no_viable_provider',
    message: `no provider of the ${name === undefined ? `${what}s` : `${what} ${quoted(name)}`} takes new requests now; try again later`,
    param: name === undefined ? null : what,
    outcome: 'no_provider',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  };
}

/** HTTP 503 while the one provider that has what the request goes on with can't take it: nobody else could serve it. */
const stateUnavailable: GatewayFailure = {
  status: 503,
  code: 'state_unavailable',
  message: 'the provider that holds the session or response this request goes on with takes no requests now',
  param: null,
  outcome: 'no_provider',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
};

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
  const hint = `GET /v1/models lists the ${known.length} that ${known.length === 1 ? 'is' : 'are'}`;
  const message = `the model ${quoted(model)} is not routed here; ${didYouMean(model, known) ?? hint}`;
  return badRequest('model_not_found', message, { param: 'model', status: 404 });
}

/** The same for a tool; undefined when none was named, because there is none. */
export function toolNotFound(tool: string | undefined, known: readonly string[]): GatewayFailure {
  const hint = `${known.length} other ${known.length === 1 ? 'tool is' : 'tools are'}`;
  const message =
    tool === undefined || known.length === 0
      ? 'no tools are routed here'
      : `the tool ${quoted(tool)} is not routed here; ${didYouMean(tool, known) ?? hint}`;
  return badRequest('tool_not_found', message, { param: 'params.name', status: 404 });
}

const responseNotFound: GatewayFailure = badRequest(
  'response_not_found',
  'it is not known here which provider has this response: it was made through another gateway, or too long ago; name its model in the model header to ask one that serves it',
  { status: 404 },
);

function didYouMean(name: string, known: readonly string[]): string | undefined {
  const close = nearest(name, known).slice(0, NAMES_SHOWN_MAX);
  return close.length > 0 ? `did you mean ${close.map(quoted).join(' or ')}?` : undefined;
}

/** Names of the models or tools that the serving snapshot knows. */
export function namesOf(router: Router, wanted: Asked['kind']): string[] {
  const names: string[] = [];
  for (const { kind, name } of router.capabilities()) if (kind === wanted) names.push(name);
  return names;
}
