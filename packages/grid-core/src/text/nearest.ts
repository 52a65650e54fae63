/** The known word closest to a misspelt one, or `undefined` when none is close enough to be meant. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(2, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const match = nearest(word, known);
  return match === undefined ? '' : ` Did you mean "${match}"?`;
}

function editDistance(left: string, right: string): number {
  // Far apart in length means far apart: no table for a word nobody meant.
  if (Math.abs(left.length - right.length) > 8) return 99;
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const gap = Math.min(previous[column] ?? 0, current[column - 1] ?? 0) + 1;
      current.push(Math.min(substitution, gap));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
