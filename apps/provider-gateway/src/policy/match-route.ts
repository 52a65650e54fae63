import type { RouteConfig } from '../config.ts';

/** The policy's answer. */
export type PolicyResult =
  | { readonly ok: true; readonly route: RouteConfig }
  | { readonly ok: false; readonly reason: 'unknown_candidate' | 'path_not_allowed' | 'model_not_allowed' };

/** Exact matching of candidate, path and model: no prefix, no pattern, no default. */
export class RoutePolicy {
  readonly #routes: ReadonlyMap<string, RouteConfig>;

  constructor(routes: readonly RouteConfig[]) {
    this.#routes = new Map(routes.map((route) => [route.candidateId, route]));
  }

  /** What can be judged before the body is read. `path` is the template of a path that has one. */
  admit(candidateId: string, path: string): PolicyResult {
    const route = this.#routes.get(candidateId);
    if (route === undefined) return { ok: false, reason: 'unknown_candidate' };
    return route.paths.includes(path) ? { ok: true, route } : { ok: false, reason: 'path_not_allowed' };
  }

  /** Whether an admitted route serves this model or tool. */
  serves(route: RouteConfig, model: string): PolicyResult {
    return route.model === model ? { ok: true, route } : { ok: false, reason: 'model_not_allowed' };
  }

  /** Names of all models, for bounded metric labels. */
  models(): string[] {
    return [...new Set([...this.#routes.values()].map((route) => route.model))];
  }
}
