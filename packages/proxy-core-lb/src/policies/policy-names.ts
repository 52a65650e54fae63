/** How an endpoint is chosen. */
export type BalancingPolicyName = 'round_robin' | 'least_request' | 'random';

/** Every policy name. */
export const BALANCING_POLICIES: readonly BalancingPolicyName[] = ['round_robin', 'least_request', 'random'];
