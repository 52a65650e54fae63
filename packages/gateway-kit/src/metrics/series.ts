import { type DeclaredMetric, isClosed, type LabelDefinition, MAX_SERIES, OTHER } from './definition.ts';

/** Label values by name. */
export type Labels<L extends string> = Readonly<Record<L, string>>;

/** One series: its label values in declared order and its state. */
export interface Series<S> {
  readonly values: readonly string[];
  readonly state: S;
}

/** Combinations that are worth writing out at zero; beyond, a declaration has to say what can happen. */
const ZEROED_MAX = 1000;

/**
 * The series of one metric, by their label values. Hot: a look-up is one string and one map access; everything else
 * happens when a series is seen for the first time.
 */
export class SeriesMap<S> {
  readonly names: readonly string[];
  readonly #labels: readonly LabelDefinition[];
  readonly #create: () => S;
  readonly #maxSeries: number;
  readonly #onFold: () => void;
  readonly #byKey = new Map<string, Series<S>>();

  /** @param onFold - Called when a new combination was folded to `other`. */
  constructor(definition: DeclaredMetric, create: () => S, onFold: () => void) {
    const labels = Object.entries(definition.labels ?? {});
    this.names = labels.map(([name]) => name);
    this.#labels = labels.map(([, label]) => label);
    this.#maxSeries = definition.maxSeries ?? MAX_SERIES;
    this.#create = create;
    this.#onFold = onFold;
    for (const values of zeroed(definition, this.#labels)) this.#add(values);
  }

  /** The state of a combination of label values; begins it when it is new. */
  of(labels: Labels<string>): S {
    const { names } = this;
    let key = names.length === 0 ? '' : (labels[names[0] ?? ''] ?? '');
    for (let at = 1; at < names.length; at += 1) key += `\u0000${labels[names[at] ?? ''] ?? ''}`;
    return (this.#byKey.get(key) ?? this.#begin(labels)).state;
  }

  /** Forgets all series. */
  clear(): void {
    this.#byKey.clear();
  }

  /** All series, oldest first. */
  all(): Iterable<Series<S>> {
    return this.#byKey.values();
  }

  #begin(labels: Labels<string>): Series<S> {
    const wanted = this.names.map((name) => labels[name] ?? '');
    let values = wanted.map((value, at) => allowed(this.#labels[at], value));
    const known = this.#byKey.get(values.join('\u0000'));
    if (known === undefined && this.#byKey.size >= this.#maxSeries) values = values.map(() => OTHER);
    if (values.some((value, at) => value !== wanted[at])) this.#onFold();
    return known ?? this.#byKey.get(values.join('\u0000')) ?? this.#add(values);
  }

  #add(values: readonly string[]): Series<S> {
    const series = { values, state: this.#create() };
    this.#byKey.set(values.join('\u0000'), series);
    return series;
  }
}

function allowed(label: LabelDefinition | undefined, value: string): string {
  return label === undefined || !isClosed(label) || label.values.includes(value) ? value : OTHER;
}

/** The combinations that begin at zero: all of them when all labels are closed, else none. */
function zeroed(definition: DeclaredMetric, labels: readonly LabelDefinition[]): readonly string[][] {
  if (definition.zeroed === false) return [];
  let combinations: string[][] = [[]];
  for (const label of labels) {
    if (!isClosed(label)) return [];
    combinations = combinations.flatMap((head) => label.values.map((value) => [...head, value]));
  }
  if (combinations.length > ZEROED_MAX) {
    throw new TypeError(
      `${definition.name} would begin with ${combinations.length} series, expected at most ${ZEROED_MAX}: declare zeroed: false`,
    );
  }
  return combinations;
}
