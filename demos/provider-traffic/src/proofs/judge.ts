import { countByBackend, countByClient, countByGateway, type Proof } from '@switchyard/demo-kit';
import type { Records, Results } from '../records/types.ts';
import { proveProviders, proveStopped, proveSuccess, proveUnchanged } from './control-plane.ts';
import { proveSequence, proveSplit, type ThreeCounts } from './distribution.ts';
import { proveOneGateway, proveTraces } from './traces.ts';

/**
 * Judges a run from its raw records alone. Pure: the live run and `verify` call the same function, so a verdict
 * that `verify` can't reproduce was not made from the records in the folder.
 */
export function judge(records: Records): Results {
  const { requests, spans, replies, observations } = records;
  const traces = new Set(requests.map((request) => request.traceId));
  const counts: ThreeCounts = {
    client: countByClient(requests, observations.backends),
    gateway: countByGateway(spans, traces, observations.backends),
    backend: countByBackend(replies, traces, observations.backends),
  };
  const proofs: Proof[] = [
    proveOneGateway(records),
    proveProviders(records),
    proveSequence(records),
    proveSplit(records, counts),
    proveSuccess(records),
    proveUnchanged(records),
    proveTraces(records),
    proveStopped(records),
  ];
  return {
    schemaVersion: 1,
    passed: proofs.every((proof) => proof.passed),
    requests: requests.length,
    policy: observations.policy,
    counts,
    sequence: requests.map((request) => request.provider),
    proofs,
    revisions: observations.revisions.after,
    startedAt: observations.startedAt,
    durationMs: observations.durationMs,
  };
}
