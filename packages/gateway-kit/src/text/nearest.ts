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
    const distance = editDistance(lower, name.toLowerCase(), limit);
    if (distance <= limit) hits.push({ name, distance });
  }
  hits.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return hits.map((hit) => hit.name);
}

/** What two words differ in: without the ends they have in common, which most of a long list of names does. */
function differing(a: string, b: string): readonly [string, string] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/**
 * Optimal string alignment: Levenshtein plus swaps of neighbouring characters. More than `limit` edits are not counted:
 * any number above it says that there are more.
 */
function editDistance(one: string, other: string, limit: number): number {
  const [a, b] = differing(one, other);
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  let leastOfPrevious = 0;
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1);
      }
      current.push(best);
      least = Math.min(least, best);
    }
    // A row is made of the two before it, and only adds to them.
    if (least > limit && leastOfPrevious > limit) return least;
    beforePrevious = previous;
    previous = current;
    leastOfPrevious = least;
  }
  return previous[b.length] ?? 0;
}
