import type { Endpoint, EndpointInput } from './endpoint.ts';
import { type ClusterOptionsIssue, type ClusterOptionsIssueCode, throwIssues } from './errors.ts';
import { BALANCING_POLICIES, type BalancingPolicyName } from './policies/policy-names.ts';
import { type Random, systemRandom } from './random.ts';

/** Options of `createCluster`. */
export interface ClusterOptions<M = unknown> {
  /** For messages and telemetry. Not blank. */
  readonly name: string;
  /** Default `round_robin`. */
  readonly policy?: BalancingPolicyName;
  /** May be empty, and may be changed later with `update()`. Order does not matter. */
  readonly endpoints: readonly EndpointInput<M>[];
  /** Default: a fast generator seeded by the system. */
  readonly random?: Random;
  /** Turn to start at, counted in picks; an integer >= 0, default 0. Give each instance of a fleet its own. */
  readonly startOffset?: number;
}

/** {@link ClusterOptions} checked, with defaults. */
export interface ResolvedClusterOptions<M> {
  readonly name: string;
  readonly policy: BalancingPolicyName;
  readonly endpoints: readonly Endpoint<M>[];
  readonly random: Random;
  readonly startOffset: number;
}

/** Largest weight of one endpoint. */
export const WEIGHT_MAX = 1_000_000;

/** Largest sum of weights; keeps every product in the schedules an exact integer. */
export const TOTAL_WEIGHT_MAX: number = 2 ** 31 - 1;

/**
 * Checks options and fills defaults.
 * @throws ClusterOptionsError with every issue found.
 */
export function resolveClusterOptions<M>(options: ClusterOptions<M>): ResolvedClusterOptions<M> {
  const issues: ClusterOptionsIssue[] = [];
  const report = reporter(issues);
  const { name, policy = 'round_robin', startOffset = 0, random } = options;
  if (!isText(name))
    report('invalid_name', 'name', `${show(name)} is not a name; give a text that is not blank`);
  if (!BALANCING_POLICIES.includes(policy)) {
    report(
      'invalid_policy',
      'policy',
      `${show(policy)} is unknown; use one of ${BALANCING_POLICIES.join(', ')}`,
    );
  }
  if (!Number.isSafeInteger(startOffset) || startOffset < 0) {
    report('invalid_start_offset', 'startOffset', `${show(startOffset)} is not an integer >= 0`);
  }
  if (random !== undefined && typeof random !== 'function') {
    report(
      'invalid_random',
      'random',
      `${show(random)} is not a function that returns unsigned 32-bit integers`,
    );
  }
  const endpoints = collectEndpoints(options.endpoints, issues);
  throwIssues(issues);
  return { name, policy, endpoints, random: random ?? systemRandom(), startOffset };
}

/**
 * Checks endpoints, fills defaults and sorts by id, so that the order given never matters.
 * @throws ClusterOptionsError with every issue found.
 */
export function resolveEndpoints<M>(inputs: readonly EndpointInput<M>[]): readonly Endpoint<M>[] {
  const issues: ClusterOptionsIssue[] = [];
  const endpoints = collectEndpoints(inputs, issues);
  throwIssues(issues);
  return endpoints;
}

function collectEndpoints<M>(
  inputs: readonly EndpointInput<M>[],
  issues: ClusterOptionsIssue[],
): readonly Endpoint<M>[] {
  const report = reporter(issues);
  if (!Array.isArray(inputs)) {
    report('invalid_endpoints', 'endpoints', `${show(inputs)} is not an array`);
    return [];
  }
  const firstAt = new Map<string, number>();
  const endpoints = inputs.map((input: EndpointInput<M>, at) => {
    const endpoint = resolveEndpoint(input, `endpoints[${at}]`, report);
    const before = firstAt.get(endpoint.id);
    if (before !== undefined) {
      const message = `"${endpoint.id}" is the id of endpoints[${before}] too; remove one or give it an id`;
      report('duplicate_id', `endpoints[${at}].id`, message);
    }
    firstAt.set(endpoint.id, at);
    return endpoint;
  });
  const total = endpoints.reduce((sum, endpoint) => sum + endpoint.weight, 0);
  if (total > TOTAL_WEIGHT_MAX) {
    const message = `the weights add up to ${total}, the most is ${TOTAL_WEIGHT_MAX}; scale them down`;
    report('total_weight_too_large', 'endpoints', message);
  }
  return endpoints.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function resolveEndpoint<M>(input: EndpointInput<M>, path: string, report: Report): Endpoint<M> {
  if (typeof input !== 'object' || input === null) {
    report('invalid_endpoints', path, `${show(input)} is not an endpoint; give an object with an address`);
    // An id that no other endpoint has: the one fault is reported once.
    return Object.freeze({ id: path, address: path, weight: 0, metadata: undefined });
  }
  const { address, id = address, weight = 1, metadata } = input;
  if (!isText(address)) {
    report(
      'invalid_address',
      `${path}.address`,
      `${show(address)} is not an address; give a text that is not blank`,
    );
  }
  if (!isText(id) && id !== address) {
    report(
      'invalid_id',
      `${path}.id`,
      `${show(id)} is not an id; give a text that is not blank, or leave it out`,
    );
  }
  if (!Number.isInteger(weight) || weight < 0 || weight > WEIGHT_MAX) {
    const message = `${show(weight)} is not an integer from 0 (drained) to ${WEIGHT_MAX}`;
    report('invalid_weight', `${path}.weight`, message);
    return Object.freeze({ id, address, weight: 0, metadata });
  }
  return Object.freeze({ id, address, weight, metadata });
}

type Report = (code: ClusterOptionsIssueCode, path: string, message: string) => void;

function reporter(issues: ClusterOptionsIssue[]): Report {
  return (code, path, message) => void issues.push({ code, path, message });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
