import type { Cassette } from '../cassette/format.ts';
import { type Comparison, compareBodies } from './first-difference.ts';

/** The cassette that came closest to a request, and how they differ. */
export interface Nearest extends Comparison {
  readonly cassette: Cassette;
}

/**
 * The cassette with the smallest distance to a request's body; the earlier one wins a tie. Runs on a miss only:
 * it walks all cassettes of the route, each no further than the best so far.
 */
export function nearestCassette(
  cassettes: readonly Cassette[],
  body: unknown,
  ignore: ReadonlySet<string>,
): Nearest | undefined {
  let best: Nearest | undefined;
  for (const cassette of cassettes) {
    const bodies = { expected: cassette.match.body, found: body };
    const comparison = compareBodies(bodies, ignore, best?.distance);
    if (best === undefined || comparison.distance < best.distance) best = { cassette, ...comparison };
  }
  return best;
}
