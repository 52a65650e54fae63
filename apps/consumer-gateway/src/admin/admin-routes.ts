import type { RouteRequest, Router } from '@switchyard/ai-route';
import { quoted } from '@switchyard/gateway-kit';
import { CANDIDATE_KINDS, type CandidateKind } from '@switchyard/overlay-contract';
import type { Context, Hono } from 'hono';
import { failureResponse } from '../answer/failure-response.ts';
import { badRequest, type GatewayFailure } from '../answer/gateway-failure.ts';
import { streamedList } from '../answer/streamed-list.ts';
import { modelNotFound, namesOf, notReady, toolNotFound } from '../pipeline/no-route.ts';
import { SESSION_KEY_BYTES_MAX } from '../request/session-key.ts';
import { overlayView } from './overlay-view.ts';

/** Adds `/admin/overlay`, `/admin/routes` and `/admin/explain`. None of them changes any state. */
export function addAdminRoutes(app: Hono, router: Router): void {
  app.get('/admin/overlay', (c) => c.json(overlayView(router.status())));
  app.get('/admin/routes', (c) => routes(c, router));
  app.get('/admin/explain', (c) => explain(c, router));
}

/** `?model=NAME` and `?kind=KIND` narrow the list, `?limit=N` ends it. */
function routes(c: Context, router: Router): Response {
  const { model: name, kind, limit } = c.req.query();
  if (kind !== undefined && !isKind(kind)) {
    const message = `"kind" must be one of ${CANDIDATE_KINDS.join(', ')}`;
    return failureResponse(badRequest('invalid_kind', message, { param: 'kind' }));
  }
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit)) {
    const message = '"limit" must be a whole number, at least 1';
    return failureResponse(badRequest('invalid_limit', message, { param: 'limit' }));
  }
  const { servingRevision } = router.status();
  return streamedList({
    head: { servingRevision },
    key: 'routes',
    items: router.routes({ kind, name }),
    limit: limit === undefined ? undefined : Number(limit),
  });
}

function isKind(text: string): text is CandidateKind {
  return (CANDIDATE_KINDS as readonly string[]).includes(text);
}

/** `?model=NAME` or `?tool=NAME`, and `session=KEY` for what a session of that key would get. */
function explain(c: Context, router: Router): Response {
  const asked = askedFor(c);
  if ('code' in asked) return failureResponse(asked);
  const explanation = router.explain(asked);
  if (explanation.outcome === 'not_ready') return failureResponse(notReady);
  if (explanation.outcome !== 'unknown_capability') return c.json(explanation);
  const { kind, name } = asked;
  const known = namesOf(router, kind);
  return failureResponse(kind === 'mcp_tool' ? toolNotFound(name, known) : modelNotFound(name, known));
}

const EXPLAIN_PARAMETERS = ['model', 'tool', 'session'];

/** Every parameter once at most, and none that would be ignored. */
function askedFor(c: Context): RouteRequest | GatewayFailure {
  const given = c.req.queries();
  for (const [name, values] of Object.entries(given)) {
    if (!EXPLAIN_PARAMETERS.includes(name)) {
      const message = `no parameter ${quoted(name)}; known: ${EXPLAIN_PARAMETERS.join(', ')}`;
      return badRequest('invalid_parameter', message, { param: quoted(name) });
    }
    if (values.length > 1)
      return badRequest('invalid_parameter', `"${name}" is given ${values.length} times`, { param: name });
  }
  const [model] = given['model'] ?? [];
  const [tool] = given['tool'] ?? [];
  const [session] = given['session'] ?? [];
  const name = model === undefined || model === '' ? tool : model;
  if (name === undefined || name === '') {
    const message = 'say which model or tool: /admin/explain?model=NAME or /admin/explain?tool=NAME';
    return badRequest('missing_model', message, { param: 'model' });
  }
  if (model !== undefined && tool !== undefined)
    return badRequest('invalid_parameter', '"model" and "tool" exclude each other', { param: 'tool' });
  if (session !== undefined && (session === '' || Buffer.byteLength(session) > SESSION_KEY_BYTES_MAX)) {
    const message = `"session" must be 1 to ${SESSION_KEY_BYTES_MAX} bytes long`;
    return badRequest('invalid_session', message, { param: 'session' });
  }
  return { kind: tool === undefined ? 'inference_model' : 'mcp_tool', name, sessionKey: session };
}
