import type { Router } from '@switchyard/ai-route';

/** One model in the shape of the OpenAI API. */
export interface ModelObject {
  readonly id: string;
  readonly object: 'model';
  /** When the serving overlay was accepted, in seconds since the epoch: the API wants a number here. */
  readonly created: number;
  readonly owned_by: 'switchyard';
}

/** Models that a new request would be served for, in the overlay's order of names; undefined for every other one. */
export function* listModels(router: Router): Generator<ModelObject | undefined, void, void> {
  const created = servingSince(router);
  for (const { kind, name, routable } of router.capabilities()) {
    yield kind === 'inference_model' && routable ? modelObject(name, created) : undefined;
  }
}

/** The model of this name, if a new request would be served for it. */
export function findModel(router: Router, name: string): ModelObject | undefined {
  const [view] = router.routes({ kind: 'inference_model', name });
  return view?.routable === true ? modelObject(name, servingSince(router)) : undefined;
}

function modelObject(id: string, created: number): ModelObject {
  return { id, object: 'model', created, owned_by: 'switchyard' };
}

function servingSince(router: Router): number {
  return Math.floor((router.status().loadedAt ?? 0) / 1000);
}
