/**
 * Did-you-mean: the known words within a small edit distance of `word`, closest first, ties in alphabetical order.
 *
 * @param maxDistance - Edits allowed (insert, delete, replace, swap of neighbours).
 *   Default: a third of the word's length, at least 1, at most 4.
 */
export function nearest(word: string, known: Iterable<string>, maxDistance?: number): string[] {
  const limit = maxDistance ?? Math.min(4, Math.max(1, Math.floor(word.length / 3)));
  const lower = word.toLowerCase();
  const hits: { name: string; distance: number }[] = [];
  for (const name of new Set(known)) {
    // Lengths alone already rule most words out, and keep hostile input from costing a full table each.
    if (Math.abs(name.length - word.length) > limit) continue;
    const distance = editDistance(lower, name.toLowerCase());
    if (distance <= limit) hits.push({ name, distance });
  }
  hits.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return hits.map((hit) => hit.name);
}

/** Optimal string alignment: Levenshtein plus swaps of neighbouring characters. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
