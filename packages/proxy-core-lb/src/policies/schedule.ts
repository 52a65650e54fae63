/**
 * One revolution of turns, spread as evenly as whole turns allow: after any t turns from the start, each member's
 * count differs from its exact share by at most 1 - 1/(2n - 2). R. Tijdeman, "The chairman assignment problem", 1980.
 *
 * @param weights - integers above zero, without a common divisor.
 * @param total - their sum, the length of the result. Cost is n x total, so callers bound it.
 * @returns for each turn the index of its member; ties go to the lower index.
 */
export function tijdemanSchedule(weights: readonly number[], total: number): Uint32Array {
  const slots = new Uint32Array(total);
  const n = weights.length;
  if (n < 2) return slots;
  const scale = 2 * n - 2;
  // credit = turns deserved minus turns got, times `total`: an integer, and between -total and 2 x total.
  const credit = new Float64Array(n);
  for (let turn = 0; turn < total; turn++) {
    let best = -1;
    let bestSlack = 0;
    let bestWeight = 1;
    for (let i = 0; i < n; i++) {
      const weight = weights[i] ?? 0;
      const owed = (credit[i] ?? 0) + weight;
      credit[i] = owed;
      if (owed * scale < total) continue;
      // Time left until this member's turn is overdue is slack / (weight x scale); compared without division.
      const slack = total * (scale - 1) - owed * scale;
      if (best === -1 || slack * bestWeight < bestSlack * weight) {
        best = i;
        bestSlack = slack;
        bestWeight = weight;
      }
    }
    slots[turn] = best;
    credit[best] = (credit[best] ?? 0) - total;
  }
  return slots;
}
