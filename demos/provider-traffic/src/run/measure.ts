import { watch } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type BackendReply,
  type ClientTracing,
  json,
  ndjson,
  overlayIdentity,
  processState,
  type RequestRecord,
  readGroups,
  readRevisions,
  settle,
  startClientTracing,
  waitForAgreement,
} from '@switchyard/demo-kit';
import { judge } from '../proofs/judge.ts';
import { FILES, readRecords } from '../records/evidence.ts';
import type { DemoPolicy, Observations, Records, Results } from '../records/types.ts';
import type { RunObserver } from './observer.ts';
import type { Topology } from './topology.ts';
import { sendTraffic } from './traffic.ts';

/** How long the revisions may take to agree, in milliseconds. */
const AGREEMENT_TIMEOUT_MS = 20_000;
const MODEL = 'demo-model';
/** Spans of one request: client, consumer server, select and client, provider server and client, backend server. */
const SPANS_PER_REQUEST = 7;

/** What one measured window needs. */
export interface MeasureOptions {
  readonly topology: Topology;
  /** Takes the raw records; the spans are written there by the receiver. It exists. */
  readonly directory: string;
  readonly requests: number;
  readonly policy: DemoPolicy;
  readonly seed: number | null;
  /** Filled by the running backends. */
  readonly replies: readonly BackendReply[];
  readonly observer: RunObserver;
  readonly signal: AbortSignal;
}

/** A window that was measured, and the verdict on it. */
export interface Measured {
  readonly results: Results;
  readonly records: Records;
}

/** Measures the window, writes the raw records and judges them by reading them back. */
export async function measure(options: MeasureOptions): Promise<Measured> {
  const { directory, topology, replies, observer, signal } = options;
  const tracing = startClientTracing(topology.tracesUrl);
  const { requests, observations } = await openWindow(options, tracing);
  await tracing.shutdown();
  observer.step({ phase: 'settling', text: 'collecting spans' });
  await settle({
    spansFile: join(directory, FILES.spans),
    requests,
    spans: requests.length * SPANS_PER_REQUEST,
    replies,
    answered: requests.length,
    signal,
  });
  const traces = new Set(requests.map(({ traceId }) => traceId));
  const ours = replies.filter(({ traceId }) => traceId !== null && traces.has(traceId));
  await Promise.all([
    writeFile(join(directory, FILES.requests), ndjson(requests)),
    writeFile(join(directory, FILES.replies), ndjson(ours)),
    writeFile(join(directory, FILES.observations), json(observations)),
    copyFile(topology.overlayFile, join(directory, FILES.overlay)),
  ]);
  // Judged from the files and not from memory: the verdict must follow from what the folder holds.
  const records = await readRecords(directory);
  return { results: judge(records), records };
}

/** The measured window: gate, stop the controller, send, observe again, continue the controller. */
async function openWindow(
  options: MeasureOptions,
  tracing: ClientTracing,
): Promise<{ requests: RequestRecord[]; observations: Observations }> {
  const { topology, observer, signal } = options;
  const { overlayFile, gatewayAdminUrl, controller } = topology;
  const revisions = (): ReturnType<typeof readRevisions> => readRevisions(overlayFile, gatewayAdminUrl);
  observer.step({ phase: 'waiting', text: 'waiting for published = accepted = serving' });
  const gate = await waitForAgreement({ read: revisions, timeoutMs: AGREEMENT_TIMEOUT_MS, signal });
  const groups = await readGroups(gatewayAdminUrl, MODEL);

  controller.signal('SIGSTOP');
  try {
    const stateBefore = await stopped(controller.pid);
    const before = { revisions: await revisions(), overlay: overlayIdentity(overlayFile) };
    const { requests, ...window } = await sendWatched(options, tracing);
    const after = { revisions: await revisions(), overlay: overlayIdentity(overlayFile) };
    const stateAfter = processState(controller.pid);
    const observations: Observations = {
      requested: options.requests,
      policy: options.policy,
      seed: options.seed,
      backends: topology.backends,
      gate,
      activeGroup: groups[0] ?? [],
      activeGroups: groups.length,
      revisions: { before: before.revisions, after: after.revisions },
      overlay: { before: before.overlay, after: after.overlay },
      controller: { pid: controller.pid, stateBefore, stateAfter },
      ...window,
    };
    return { requests, observations };
  } finally {
    controller.signal('SIGCONT');
  }
}

interface Window extends Pick<Observations, 'overlayEvents' | 'startedAt' | 'durationMs'> {
  readonly requests: RequestRecord[];
}

/** Sends the traffic under a watch on the overlay's folder. */
async function sendWatched(options: MeasureOptions, tracing: ClientTracing): Promise<Window> {
  const { topology, observer, signal } = options;
  let overlayEvents = 0;
  const watcher = watch(dirname(topology.overlayFile), () => overlayEvents++);
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  observer.windowOpened({ requested: options.requests, policy: options.policy, startedAt });
  try {
    const requests = await sendTraffic({
      gatewayUrl: topology.gatewayUrl,
      requests: options.requests,
      providers: Object.keys(topology.backends).length,
      tracing,
      onRecord: (record) => observer.sent(record),
      signal,
    });
    const durationMs = Math.round(performance.now() - startedMs);
    await nextTurn(); // events of the last moment are delivered by the next turn of the loop
    return { requests, overlayEvents, startedAt, durationMs };
  } finally {
    // Also when interrupted: an open watch would keep this process alive for ever.
    watcher.close();
  }
}

/** A stop signal takes a moment to arrive: waits for state `T`, at most a second, and returns what it is then. */
async function stopped(pid: number): Promise<string> {
  for (let tries = 0; tries < 100 && processState(pid) !== 'T'; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return processState(pid);
}
