// Hot path: looked up once per object of a document.

/** A list of member names as met in an object, and how they are written in canonical order. */
export interface Shape {
  /** Names in the order in which the object holds them. */
  readonly names: readonly string[];
  /** The same names by UTF-16 code unit: the order of RFC 8785. */
  readonly sorted: readonly string[];
  /** What stands before each sorted member's value: `{"name":` for the first, `,"name":` for the others. */
  readonly prefixes: readonly string[];
}

/** More kinds of objects than a document of candidates has; a hostile one costs so many comparisons per object. */
const REMEMBERED_MAX = 32;

/**
 * Remembers the last 32 lists of member names. Candidates of one producer have few, so names are sorted and escaped
 * once per shape, not once per object. Compared name by name: a joined key would make `["a,b"]` equal `["a", "b"]`.
 */
export class Shapes {
  readonly #remembered: Shape[] = [];
  readonly #write: (name: string) => string;
  #next = 0;

  /** @param write the JSON text of a name; whatever it throws passes through. */
  constructor(write: (name: string) => string) {
    this.#write = write;
  }

  /** The shape of an object whose `Object.keys` are these. */
  of(names: readonly string[]): Shape {
    for (const shape of this.#remembered) if (sameNames(shape.names, names)) return shape;
    const sorted = names.toSorted();
    const prefixes = sorted.map((name, index) => `${index === 0 ? '{' : ','}${this.#write(name)}:`);
    const shape = { names, sorted, prefixes };
    this.#remembered[this.#next] = shape;
    this.#next = (this.#next + 1) % REMEMBERED_MAX;
    return shape;
  }
}

function sameNames(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}
