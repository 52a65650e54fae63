import type { Draw } from '../random.ts';
import type { Group } from '../snapshot/snapshot.ts';
import { DeadlineRoundRobinPicker } from './deadline-round-robin.ts';
import { DeterministicPicker } from './deterministic.ts';
import type { Picker, TurnStart } from './picker.ts';
import { RandomPicker } from './random.ts';
import { RoundRobinPicker } from './round-robin.ts';
import { reduceWeights } from './schedule.ts';
import { WeightedRandomPicker } from './weighted-random.ts';
import { WeightedRoundRobinPicker } from './weighted-round-robin.ts';

/** The longest revolution written down as a schedule: 16 KiB, built in milliseconds. */
export const SCHEDULE_LENGTH_MAX = 4096;

/** The picker of `group`'s policy. */
export function createPicker(group: Group, start: TurnStart, draw: Draw): Picker {
  const members = group.members.map(({ candidate }) => candidate);
  switch (group.policy) {
    case 'deterministic':
      return new DeterministicPicker();
    case 'round_robin':
      return new RoundRobinPicker(members, start);
    case 'random':
      return new RandomPicker(draw);
    case 'weighted_random':
      return new WeightedRandomPicker(weightsOf(group), draw);
    case 'weighted_round_robin': {
      const weights = reduceWeights(weightsOf(group));
      const length = weights.reduce((sum, weight) => sum + weight, 0);
      const Scheduled = length > SCHEDULE_LENGTH_MAX ? DeadlineRoundRobinPicker : WeightedRoundRobinPicker;
      return new Scheduled(members, weights, start);
    }
  }
}

function weightsOf(group: Group): number[] {
  // The contract requires a weight under a weighted policy, so the default is never met.
  return group.members.map(({ candidate }) => candidate.trafficWeight ?? 1);
}
