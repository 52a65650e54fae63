/** Source of uniform unsigned 32-bit integers: every value from 0 to 4294967295 is legal. */
export type Random = () => number;

const WIDTH = 2 ** 32;

/** Draws rejected in a row before the source is taken for broken: a fair one gets here once in 2^64 picks. */
const MAX_REJECTED = 64;

/**
 * A uniform integer in [0, bound). A plain `% bound` would favour small results, so the incomplete last
 * stretch of the source's range is drawn again.
 *
 * @param bound - integer from 1 to 2^32.
 * @param width - the source's range; 2^32 except in tests that enumerate a narrow source completely.
 */
export function boundedDraw(random: Random, bound: number, width: number = WIDTH): number {
  const limit = width - (width % bound);
  let value = random() >>> 0;
  for (let rejected = 0; value >= limit && rejected < MAX_REJECTED; rejected++) value = random() >>> 0;
  // A stuck source still gives a legal answer, never an endless loop.
  return value % bound;
}

/** A sfc32 stream seeded by the system's secure source. Fast and fair; not for secrets. */
export function systemRandom(): Random {
  let [a = 0, b = 0, c = 0] = crypto.getRandomValues(new Int32Array(3));
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}
