import { Hono } from 'hono';
import type { Cassette } from '../cassette/format.ts';

const BUILTIN_PATHS: ReadonlySet<string> = new Set(['/health', '/v1/models']);

/** Whether a request is for a route of {@link createBuiltinRoutes}. */
export function isBuiltinRoute(method: string, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && BUILTIN_PATHS.has(path);
}

/** `GET /health` and `GET /v1/models`: what the server itself says, apart from any recording. */
export function createBuiltinRoutes(cassettes: readonly Cassette[]): Hono {
  const models = modelsOf(cassettes);
  const app = new Hono();
  app.get('/health', (c) => c.json({ status: 'ok', cassettes: cassettes.length }));
  app.get('/v1/models', (c) => c.json({ object: 'list', data: models }));
  return app;
}

/** An entry of the OpenAI model list. */
interface ModelEntry {
  readonly id: string;
  readonly object: 'model';
  /** Unix seconds of the earliest cassette for this model. */
  readonly created: number;
  readonly owned_by: 'switchyard';
}

/** The models that the cassettes' requests name, sorted. */
function modelsOf(cassettes: readonly Cassette[]): readonly ModelEntry[] {
  const createdById = new Map<string, number>();
  for (const { match, recordedAt } of cassettes) {
    const model = modelOf(match.body);
    if (model === undefined) continue;
    const created = Math.floor(Date.parse(recordedAt) / 1000);
    createdById.set(model, Math.min(created, createdById.get(model) ?? created));
  }
  return [...createdById]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, created]) => ({ id, object: 'model', created, owned_by: 'switchyard' }));
}

function modelOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const model = (body as Record<string, unknown>)['model'];
  return typeof model === 'string' ? model : undefined;
}
