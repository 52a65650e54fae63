import type { Router } from '@switchyard/ai-route';

/** One model in the shape of the OpenAI API. */
export interface ModelObject {
  readonly id: string;
  readonly object: 'model';
  /** When the serving overlay was accepted, in seconds since the epoch: the API wants a number here. */
  readonly created: number;
  readonly owned_by: 'switchyard';
}

/** Models that a new request would be served for, in the overlay's order of names. */
export function listModels(router: Router): ModelObject[] {
  const created = Math.floor((router.status().loadedAt ?? 0) / 1000);
  return router
    .routes()
    .filter((view) => view.kind === 'inference_model' && view.routable)
    .map((view) => ({ id: view.name, object: 'model', created, owned_by: 'switchyard' }));
}
