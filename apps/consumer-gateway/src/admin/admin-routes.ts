import type { Router } from '@switchyard/ai-route';
import { CANDIDATE_KINDS, type CandidateKind } from '@switchyard/overlay-contract';
import type { Context, Hono } from 'hono';
import { failureResponse } from '../answer/failure-response.ts';
import { badRequest } from '../answer/gateway-failure.ts';
import { streamedList } from '../answer/streamed-list.ts';
import { modelNotFound, namesOf, notReady } from '../pipeline/no-route.ts';
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

function explain(c: Context, router: Router): Response {
  const model = c.req.query('model');
  if (model === undefined || model === '') {
    const message = 'say which model: /admin/explain?model=NAME';
    return failureResponse(badRequest('missing_model', message, { param: 'model' }));
  }
  const session = c.req.query('session');
  if (session !== undefined && (session === '' || Buffer.byteLength(session) > SESSION_KEY_BYTES_MAX)) {
    const message = `"session" must be 1 to ${SESSION_KEY_BYTES_MAX} bytes long`;
    return failureResponse(badRequest('invalid_session', message, { param: 'session' }));
  }
  const explanation = router.explain({
    kind: 'inference_model',
    name: model,
    ...(session === undefined ? {} : { sessionKey: session }),
  });
  if (explanation.outcome === 'not_ready') return failureResponse(notReady);
  return explanation.outcome === 'unknown_capability'
    ? failureResponse(modelNotFound(model, namesOf(router, 'inference_model')))
    : c.json(explanation);
}
