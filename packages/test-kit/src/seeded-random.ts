/**
 * Repeatable stream of unsigned 32-bit integers (sfc32), the same for the same seed on every machine.
 *
 * @param seed - any number; its low 32 bits count.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  // Neighbouring seeds must not give neighbouring streams: each word goes through a mixer first.
  const word = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let x = state ^ (state >>> 16);
    x = Math.imul(x, 0x21f0aaad);
    x ^= x >>> 15;
    x = Math.imul(x, 0x735a2d97);
    return x ^ (x >>> 15);
  };
  let a = word();
  let b = word();
  let c = word();
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
