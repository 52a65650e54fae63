/** Distinct model names that may become labels in one process. Overlays come and go; the sum stays bounded. */
export const MODEL_LABELS_MAX = 1000;

/** Label of every model that is not routable here, or that came too late. */
export const OTHER_MODEL = 'other';

/** Folds model names to a bounded set of label values. */
export class ModelLabels {
  readonly #known = new Set<string>();

  /** Makes a routable model a label of its own, while there is room. Returns its label. */
  admit(model: string): string {
    if (this.#known.has(model)) return model;
    if (this.#known.size >= MODEL_LABELS_MAX) return OTHER_MODEL;
    this.#known.add(model);
    return model;
  }

  /** The label of a request's model: its name when it was routable, else {@link OTHER_MODEL}. */
  labelOf(request: { readonly model: string | null; readonly routable: boolean }): string {
    return request.model !== null && request.routable ? this.admit(request.model) : OTHER_MODEL;
  }
}
