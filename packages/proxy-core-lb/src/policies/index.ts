import type { Random } from '../random.ts';
import { LeastRequest } from './least-request.ts';
import type { Policy } from './policy.ts';
import type { BalancingPolicyName } from './policy-names.ts';
import { RandomPolicy } from './random.ts';
import { RoundRobin } from './round-robin.ts';

/** What a policy is built from. */
export interface PolicyParts {
  readonly startOffset: number;
  readonly random: Random;
}

/** The policy of that name, with an empty pool. */
export function createPolicy(name: BalancingPolicyName, parts: PolicyParts): Policy {
  switch (name) {
    case 'round_robin':
      return new RoundRobin(parts.startOffset);
    case 'least_request':
      return new LeastRequest(parts.startOffset, parts.random);
    case 'random':
      return new RandomPolicy(parts.random);
  }
}
