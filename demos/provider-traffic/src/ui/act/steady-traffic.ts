import { Agent } from 'node:http';
import { type RequestRecord, sendRequest, startClientTracing } from '@switchyard/demo-kit';
import type { Topology } from '../../run/topology.ts';
import { questionOf } from '../../run/traffic.ts';

/** Most requests of one flow: nobody watches longer, and memory is bounded. */
const MAX_REQUESTS = 5_000;

/** Traffic that flows until it is stopped. */
export interface SteadyTraffic {
  /** Resolves when the last request is over. */
  stop(): Promise<void>;
  /** The same, however it comes to an end. */
  readonly ended: Promise<void>;
}

/** Sends requests one after another until stopped, at most {@link MAX_REQUESTS}. */
export function startSteadyTraffic(
  { gatewayUrl, tracesUrl, backends }: Topology,
  { onRecord, signal }: { onRecord: (record: RequestRecord) => void; signal: AbortSignal },
): SteadyTraffic {
  const tracing = startClientTracing(tracesUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let wanted = true;
  const flow = async (): Promise<void> => {
    try {
      for (let n = 1; n <= MAX_REQUESTS && wanted && !signal.aborted; n++) {
        const question = questionOf(n, Object.keys(backends).length);
        onRecord(await sendRequest({ gatewayUrl, agent, tracing, signal }, question));
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      agent.destroy();
      // At the end of everything the receiver may be gone first: spans that nobody takes any more are no failure.
      await tracing.shutdown().catch(() => undefined);
    }
  };
  const ended = flow();
  return {
    ended,
    stop: () => {
      wanted = false;
      return ended;
    },
  };
}
