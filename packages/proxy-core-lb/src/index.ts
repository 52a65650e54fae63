export { type Cluster, createCluster } from './cluster.ts';
export type { Endpoint, EndpointInput, EndpointSnapshot, LeaseOutcome } from './endpoint.ts';
export { ClusterOptionsError, type ClusterOptionsIssue, type ClusterOptionsIssueCode } from './errors.ts';
export type { Lease, NoPickReason, PickResult } from './lease.ts';
export { type ClusterOptions, TOTAL_WEIGHT_MAX, WEIGHT_MAX } from './options.ts';
export { BALANCING_POLICIES, type BalancingPolicyName } from './policies/policy-names.ts';
export { type Random, systemRandom } from './random.ts';
