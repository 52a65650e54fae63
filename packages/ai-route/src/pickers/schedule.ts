/**
 * Divides `weights` by their greatest common divisor: scaling all of them changes nothing, and the revolution is as
 * short as it can be.
 */
export function reduceWeights(weights: readonly number[]): number[] {
  const divisor = weights.reduce(greatestCommonDivisor, 0);
  return weights.map((weight) => weight / divisor);
}

/**
 * One revolution in which member i appears exactly `weights[i]` times, as evenly as can be: after any number t of
 * picks member i has had its exact share `t * w / W`, give or take at most `1 - 1/(2n - 2)`. That is the chairman
 * assignment of R. Tijdeman (1980): of the members that may not fall further behind, the one whose time runs out first.
 *
 * Equal weights give 0, 1, 2 ... in order. Time and memory are proportional to the sum of the weights.
 *
 * @param weights - Positive integers without a common divisor, at least one.
 */
export function evenSchedule(weights: readonly number[]): Uint32Array {
  const length = weights.reduce((sum, weight) => sum + weight, 0);
  const schedule = new Uint32Array(length);
  if (weights.length === 1) return schedule;
  const scale = 2 * weights.length - 2;
  const had = new Array<number>(weights.length).fill(0);
  for (let turn = 1; turn <= length; turn++) {
    const member = mostUrgent({ weights, had, turn, length, scale });
    had[member] = (had[member] ?? 0) + 1;
    schedule[turn - 1] = member;
  }
  return schedule;
}

interface Progress {
  readonly weights: readonly number[];
  readonly had: readonly number[];
  readonly turn: number;
  readonly length: number;
  readonly scale: number;
}

/**
 * `lag` is `scale * length` times what the member is owed by now. Multiplied out, everything is an integer below 2^53
 * and no comparison is ever rounded.
 */
function mostUrgent({ weights, had, turn, length, scale }: Progress): number {
  let urgent = 0;
  let urgentSlack = 0;
  let urgentWeight = 0;
  for (let member = 0; member < weights.length; member++) {
    const weight = weights[member] ?? 0;
    const lag = scale * (weight * turn - length * (had[member] ?? 0));
    if (lag < length) continue;
    // Turns left until the member would be too far behind: slack / weight, compared crosswise.
    const slack = (scale - 1) * length - lag;
    if (urgentWeight === 0 || slack * urgentWeight < urgentSlack * weight) {
      urgent = member;
      urgentSlack = slack;
      urgentWeight = weight;
    }
  }
  return urgent;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
