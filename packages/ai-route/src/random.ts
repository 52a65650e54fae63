import { getRandomValues } from 'node:crypto';

/** A source of uniform 32-bit unsigned integers, 0 and 2^32-1 included. */
export type Random = () => number;

/** Draws an integer from 0 to `bound - 1`, each exactly equally likely. */
export type Draw = (bound: number) => number;

const UINT32_RANGE = 2 ** 32;

/** A fair source is refused 64 times in a row with probability below 2^-64: only a stuck one gets there. */
const REFUSALS_MAX = 64;

/**
 * A small, fast generator (sfc32): same seed, same sequence.
 *
 * @param seed - Four 32-bit integers.
 */
export function sfc32(seed: readonly [number, number, number, number]): Random {
  let [a, b, c, counter] = seed;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // The first outputs still show the seed; the generator's author discards a dozen.
  for (let round = 0; round < 12; round++) next();
  return next;
}

/** The default source: {@link sfc32} seeded from the operating system. */
export function systemRandom(): Random {
  const [a = 0, b = 0, c = 0, d = 0] = getRandomValues(new Uint32Array(4));
  return sfc32([a, b, c, d]);
}

/** A second, independent stream whose seed is drawn from the first: what one consumes never shifts the other. */
export function splitRandom(random: Random): Random {
  return sfc32([random(), random(), random(), random()]);
}

/**
 * Turns a source into unbiased bounded draws. The top of the range that does not divide evenly is refused and drawn
 * again; `value % bound` alone would favour small results.
 *
 * @param range - How many values the source has. Default 2^32; tests narrow it to enumerate them all.
 */
export function createDraw(random: Random, range: number = UINT32_RANGE): Draw {
  return (bound) => {
    let value = random() >>> 0;
    // The first comparison settles nearly every draw and spares the division behind the second.
    for (let refusals = 0; value >= range - bound && refusals < REFUSALS_MAX; refusals++) {
      if (value < range - (range % bound)) break;
      value = random() >>> 0;
    }
    return value % bound;
  };
}
