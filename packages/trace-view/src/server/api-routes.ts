import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Actions } from '../actions/actions.ts';
import type { ActionReply, Json, ViewState } from '../contract/events.ts';
import type { TraceStore } from '../store/trace-store.ts';

/** What the routes of the page work with. */
export interface ApiParts {
  readonly store: TraceStore;
  readonly actions: Actions;
  readonly state: () => ViewState;
}

const MAX_LIST = 1_000;
const MAX_ACTION_BYTES = 64 * 1024;

/** Mounts `/api/state`, `/api/traces`, `/api/traces/:id` and `/api/actions/:name`. */
export function mountApi(app: Hono, { store, actions, state }: ApiParts): void {
  app.get('/api/state', (c) => c.json(state()));
  app.get('/api/traces', (c) => {
    const limit = Number(c.req.query('limit') ?? 100);
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIST)
      return problem(c, 400, 'bad_limit', `limit: expected a whole number from 1 to ${MAX_LIST}`);
    const service = c.req.query('service');
    const text = c.req.query('text');
    const query = {
      limit,
      errorsOnly: c.req.query('errors') === '1',
      ...(service === undefined ? {} : { service }),
      ...(text === undefined ? {} : { text }),
    };
    return c.json(store.list(query));
  });
  app.get('/api/traces/:id', (c) => {
    const trace = store.trace(c.req.param('id').toLowerCase());
    return trace === undefined
      ? problem(c, 404, 'unknown_trace', 'this trace has not arrived, or has left the store already')
      : c.json(trace);
  });
  const tooLarge = (c: Context): Response =>
    problem(c, 413, 'too_large', `an action takes at most ${MAX_ACTION_BYTES} bytes`);
  app.post('/api/actions/:name', bodyLimit({ maxSize: MAX_ACTION_BYTES, onError: tooLarge }), async (c) => {
    const text = await c.req.text();
    let input: Json = null;
    try {
      if (text !== '') input = JSON.parse(text) as Json;
    } catch (error) {
      return problem(c, 400, 'not_json', `the body is not JSON: ${(error as Error).message}`);
    }
    const { status, reply } = await actions.run(c.req.param('name'), input);
    return c.json(reply, status);
  });
}

/** Answers with an error in the shape that all of `/api` shares. */
export function problem(c: Context, status: 400 | 404 | 413 | 500, code: string, message: string): Response {
  const reply: ActionReply = { ok: false, error: { code, message } };
  return c.json(reply, status);
}
