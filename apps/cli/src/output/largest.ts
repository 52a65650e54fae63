/** The largest of the numbers, at least 0. Not `Math.max(...numbers)`: a document can have more than a call takes. */
export function largest(numbers: Iterable<number>): number {
  let most = 0;
  for (const number of numbers) if (number > most) most = number;
  return most;
}
