import type { Cassette } from '../cassette/format.ts';
import { type MatchedRequest, requestKey, routeKey } from './request-key.ts';

interface Take {
  readonly cassettes: readonly Cassette[];
  served: number;
}

/**
 * Finds the cassette of a request in constant time. Cassettes that answer the same request are served in load
 * order, once each; the last one then repeats.
 */
export class CassetteIndex {
  readonly #takes = new Map<string, Take>();
  readonly #routes = new Map<string, Cassette[]>();
  readonly #paths = new Set<string>();
  readonly #ignore: ReadonlySet<string>;

  /**
   * @param cassettes - in the order in which duplicates are served
   * @param ignore - top-level body members that take no part in matching
   */
  constructor(cassettes: readonly Cassette[], ignore: ReadonlySet<string>) {
    this.#ignore = ignore;
    const byKey = new Map<string, Cassette[]>();
    for (const cassette of cassettes) {
      push(byKey, requestKey(cassette.match, ignore), cassette);
      push(this.#routes, routeKey(cassette.match.method, cassette.match.path), cassette);
      this.#paths.add(cassette.match.path);
    }
    for (const [key, list] of byKey) this.#takes.set(key, { cassettes: list, served: 0 });
  }

  /** Top-level body members that take no part in matching. */
  get ignore(): ReadonlySet<string> {
    return this.#ignore;
  }

  /** Every path that some cassette answers. */
  get paths(): ReadonlySet<string> {
    return this.#paths;
  }

  /** The cassettes of one exact method and path; empty when there is none. */
  onRoute(method: string, path: string): readonly Cassette[] {
    return this.#routes.get(routeKey(method, path)) ?? [];
  }

  /** The methods that some cassette answers on a path, sorted. */
  methodsOn(path: string): readonly string[] {
    const suffix = ` ${path}`;
    const routes = [...this.#routes.keys()].filter((route) => route.endsWith(suffix));
    return routes.map((route) => route.slice(0, -suffix.length)).sort();
  }

  /**
   * Takes the next cassette for a request, or nothing on a miss.
   *
   * @throws `JsonDepthError` when the body nests too deeply.
   */
  take(request: MatchedRequest): Cassette | undefined {
    const take = this.#takes.get(requestKey(request, this.#ignore));
    if (take === undefined) return undefined;
    const turn = Math.min(take.served, take.cassettes.length - 1);
    take.served = turn + 1;
    return take.cassettes[turn];
  }
}

function push(map: Map<string, Cassette[]>, key: string, cassette: Cassette): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [cassette]);
  else list.push(cassette);
}
