import { BALANCING_POLICIES } from '../../src/index.ts';
import { describePolicy } from '../policy-suite.ts';

for (const policy of BALANCING_POLICIES) {
  // Above 32 endpoints least_request draws two instead of comparing all.
  for (const size of [2, 5, 40]) describePolicy({ policy, size });
}
