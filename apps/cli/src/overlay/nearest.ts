/** ` Did you mean "x"?` with the known word closest to a misspelt one, or nothing when none is close. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const match = nearest(word, known);
  return match === undefined ? '' : ` Did you mean "${match}"?`;
}

/** The known word closest to `word`, at most a third of its letters away, first of equals; or undefined. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let allowed = Math.max(2, Math.floor(word.length / 3));
  for (const candidate of known) {
    // Lengths alone rule most words out, and keep a hostile document from costing a table each.
    if (candidate === word || Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= allowed) {
      best = candidate;
      allowed = distance - 1;
    }
  }
  return best;
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
