import { type Counts, countByBackend, countByClient, type Proof, tally } from '@switchyard/demo-kit';
import { type Records, type Results, STEPS, type ThreeCounts } from '../records/types.ts';
import { proveCounts, proveLowerGroup, proveNoFailure, proveRetryOrder } from './fallback.ts';
import { proveBoundStay, proveFailOverOnce, proveNoFlapping } from './sessions.ts';
import { proveBrokenOverlay, proveNothingNew, proveRecovery, proveSplit } from './turns.ts';

/**
 * Judges a run from its raw records alone. Pure: the live run and `verify` call the same function, so a verdict
 * that `verify` can't reproduce was not made from the records in the folder.
 */
export function judge(records: Records): Results {
  const { requests, observations } = records;
  const counts = countThreeWays(records);
  const proofs: Proof[] = [
    proveSplit(records, 'steady', { id: 'steady', title: 'Steady: the near providers repeat A, B, C' }),
    proveBoundStay(records),
    proveNothingNew(records),
    proveBrokenOverlay(records),
    proveFailOverOnce(records),
    proveRetryOrder(records),
    proveLowerGroup(records),
    proveRecovery(records),
    proveNoFlapping(records),
    proveSplit(records, 'undrained', {
      id: 'undrained',
      title: 'Drain lifted: the near providers repeat A, B, C again',
    }),
    proveNoFailure(records),
    proveCounts(counts),
  ];
  const providers = Object.keys(observations.backends);
  return {
    schemaVersion: 1,
    passed: proofs.every((proof) => proof.passed),
    requests: requests.length,
    policy: 'round_robin',
    counts,
    sequence: requests.map(({ provider }) => provider),
    steps: STEPS.map((step) => {
      const own = requests.filter((request) => request.step === step);
      return {
        step,
        requests: own.length,
        counts: tally(
          providers,
          own.map(({ provider }) => provider),
        ),
      };
    }),
    proofs,
    revisions: observations.moments.at(-1)?.revisions ?? { published: null, accepted: null, serving: null },
    startedAt: observations.startedAt,
    durationMs: observations.durationMs,
  };
}

function countThreeWays({ requests, spans, replies, observations }: Records): ThreeCounts {
  const { backends } = observations;
  const traces = new Set(requests.map(({ traceId }) => traceId));
  return {
    client: countByClient(requests, backends),
    gateway: countByGateway(spans, traces, backends),
    backend: countByBackend(replies, traces, backends),
  };
}

/** By whom the gateway says, at the end of each request, that it was answered. */
function countByGateway(
  spans: Records['spans'],
  traces: ReadonlySet<string>,
  backends: Readonly<Record<string, string>>,
): Counts {
  const ended = spans.filter(
    ({ service, kind, traceId }) =>
      service === 'consumer-gateway' && kind === 'server' && traces.has(traceId),
  );
  return tally(
    Object.keys(backends),
    ended.map(({ attributes }) => String(attributes['selected.provider'] ?? '(none)')),
  );
}
