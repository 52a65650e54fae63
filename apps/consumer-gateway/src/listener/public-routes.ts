import type { Router } from '@switchyard/ai-route';
import { nearest } from '@switchyard/gateway-kit';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { findModel, listModels } from '../admin/models.ts';
import { failureResponse } from '../answer/failure-response.ts';
import { badRequest, type GatewayFailure, methodNotAllowed } from '../answer/gateway-failure.ts';
import { streamedList } from '../answer/streamed-list.ts';
import { modelNotFound, namesOf, notReady } from '../pipeline/no-route.ts';
import { PROXIED_ROUTES } from './routes.ts';

const modelsPath = '/v1/models';

/** What the open port answers itself: the list of models, and an error for every other path. */
export function createPublicRoutes(router: Router): Hono {
  const app = new Hono();
  // An empty list would say that there are no models; while there is no overlay, nobody knows.
  const whenReady: MiddlewareHandler = async (_c, next) =>
    router.status().servingRevision === null ? failureResponse(notReady) : next();
  app.use(modelsPath, whenReady);
  app.use(`${modelsPath}/*`, whenReady);
  app.get(modelsPath, () =>
    streamedList({ head: { object: 'list' }, key: 'data', items: listModels(router) }),
  );
  // A model's name may have slashes, so it is all that follows.
  app.get(`${modelsPath}/*`, (c) => {
    const id = decoded(c.req.path.slice(modelsPath.length + 1));
    const found = findModel(router, id);
    return found === undefined
      ? failureResponse(modelNotFound(id, namesOf(router, 'inference_model')))
      : c.json(found);
  });
  const refuse = (c: Context): Response => {
    const { method, path } = c.req;
    return failureResponse(
      methodNotAllowed({ method, path: path.slice(0, 100), use: 'GET', allow: 'GET, HEAD' }),
    );
  };
  app.all(modelsPath, refuse).all(`${modelsPath}/*`, refuse);
  // Thrown on: the listener logs it and words the answer.
  app.onError((error) => {
    throw error;
  });
  app.notFound((c) => failureResponse(unknownPath(c.req.method, c.req.path)));
  return app;
}

function unknownPath(method: string, path: string): GatewayFailure {
  const known = [...PROXIED_ROUTES.map((route) => route.path), modelsPath];
  const close = nearest(path.slice(0, 100), known);
  const hint = close.length > 0 ? `did you mean ${close.join(' or ')}?` : `known: ${known.join(', ')}`;
  const message = `no ${method} ${path.slice(0, 100)} here; ${hint}`;
  return badRequest('unknown_path', message, { status: 404 });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
