import { type Proof, sameCounts } from '@switchyard/demo-kit';
import type { Records, ThreeCounts } from '../records/types.ts';
import { FAR, NEAR, OPEN, sequenceOf, triedBy, unbound } from './facts.ts';

/** Failures in a row after which the gateway passes a provider over; the consumer gateway's config says the same. */
const EJECTED_AFTER = 5;

/**
 * Proof 6: a request that fails goes on inside its group first, to members it did not try, then to the next group. A near
 * member may be left out only once it had failed often enough to be passed over.
 */
export function proveRetryOrder(records: Records): Proof {
  const failures = new Map(NEAR.map((name) => [name, 0]));
  const orders: string[][] = [];
  const faulty: string[][] = [];
  for (const request of unbound(records, 'outage')) {
    const tried = triedBy(records.spans, request);
    const near = tried.filter((name) => NEAR.includes(name));
    const leftOut = OPEN.filter((name) => !near.includes(name) && (failures.get(name) ?? 0) < EJECTED_AFTER);
    const nearFirst = near.every((name, index) => tried[index] === name);
    if (leftOut.length > 0 || !nearFirst || new Set(tried).size !== tried.length) faulty.push(tried);
    if (tried.length > 1) orders.push(tried);
    for (const name of near) failures.set(name, (failures.get(name) ?? 0) + 1);
  }
  return {
    id: 'retry-order',
    title: 'Retries: the own group first, each member once, then the lower group',
    passed: orders.length > 0 && faulty.length === 0,
    summary: `${orders.length} requests were tried more than once, such as ${(orders[0] ?? []).join(', then ')}`,
    facts: { orders: orders.slice(0, 10), faulty },
  };
}

/** Proof 7: with the whole near group gone, the far group serves everything. */
export function proveLowerGroup(records: Records): Proof {
  const requests = unbound(records, 'outage');
  const sequence = sequenceOf(requests);
  const direct = requests.filter(({ attempts }) => attempts === 1).length;
  const served = requests.filter(
    ({ provider, group, status }) => status === 200 && group === 1 && FAR.includes(provider ?? ''),
  );
  return {
    id: 'lower-group',
    title:
      'Outage: the lower group served every request, soon without detours, and without the control plane',
    passed:
      requests.length > 0 &&
      served.length === requests.length &&
      direct > 0 &&
      records.observations.moments.some(
        ({ step, controllerStopped }) => step === 'outage' && controllerStopped,
      ),
    summary: `${served.length} of ${requests.length} requests by ${FAR.join(' and ')}, ${direct} of them at the first attempt; controller stopped`,
    facts: { sequence, attempts: requests.map(({ attempts }) => attempts) },
  };
}

/** Proof 11: no client saw a failure, whatever was killed. */
export function proveNoFailure({ requests }: Records): Proof {
  const failed = requests.filter(({ status, error }) => status !== 200 || error !== null);
  return {
    id: 'no-failure',
    title: 'No client request failed in the whole run',
    passed: requests.length > 0 && failed.length === 0,
    summary: `${requests.length - failed.length} of ${requests.length} requests succeeded`,
    facts: { failed: failed.map(({ n, step, status, error }) => ({ n, step, status, error })) },
  };
}

/** Proof 12: client, gateway spans and backend logs agree on who answered how often. */
export function proveCounts(counts: ThreeCounts): Proof {
  const show = (of: ThreeCounts['client']): string => Object.values(of).join('/');
  return {
    id: 'counts',
    title: 'Client, gateway spans and backend logs agree on who answered',
    passed: sameCounts(counts.client, counts.gateway) && sameCounts(counts.client, counts.backend),
    summary: `${show(counts.client)} = ${show(counts.gateway)} = ${show(counts.backend)}`,
    facts: { ...counts },
  };
}
