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
  RUN_FOLDER,
  readGroups,
  readReply,
  readRevisions,
  type Screen,
  type Supervision,
  settle,
  startClientTracing,
  waitForAgreement,
} from '@switchyard/demo-kit';
import type { RunCommand } from '../cli/options.ts';
import { judge } from '../proofs/judge.ts';
import { FILES, readRecords } from '../records/evidence.ts';
import type { Observations, Records, Results } from '../records/types.ts';
import { startTopology, type Topology } from './topology.ts';
import { sendTraffic } from './traffic.ts';

/** How long the revisions may take to agree, in milliseconds. */
const AGREEMENT_TIMEOUT_MS = 20_000;
const MODEL = 'demo-model';
/** Spans of one request: client, consumer server, select and client, provider server and client, backend server. */
const SPANS_PER_REQUEST = 7;

/** A run that has been judged; everything still runs until the caller ends the children. */
export interface FinishedRun {
  readonly results: Results;
  readonly records: Records;
  readonly topology: Topology;
}

/** What one run needs from outside. */
export interface RunOptions extends Supervision {
  readonly command: RunCommand;
  /** Evidence folder; it exists. */
  readonly directory: string;
  readonly screen: Screen;
}

/** Starts the topology, measures the window, writes the raw records and judges them by reading them back. */
export async function runDemo(options: RunOptions): Promise<FinishedRun> {
  const { command, directory, screen, abort } = options;
  const replies: BackendReply[] = [];
  const topology = await startTopology({
    directory: join(directory, RUN_FOLDER),
    policy: command.policy,
    seed: command.seed,
    spansFile: join(directory, FILES.spans),
    onReply: (backend, reply) => replies.push(readReply(backend, reply)),
    onStep: (text) => screen.live(`starting ${text} ...`),
    onDeath: (message) => abort.abort(new Error(message)),
    children: options.children,
    onSpawn: options.onSpawn,
    signal: abort.signal,
  });
  abort.signal.throwIfAborted();
  const tracing = startClientTracing(topology.tracesUrl);
  const { requests, observations } = await measure(options, topology, tracing);
  await tracing.shutdown();
  screen.live('collecting spans ...');
  await settle({
    spansFile: join(directory, FILES.spans),
    requests,
    spans: requests.length * SPANS_PER_REQUEST,
    replies,
    answered: requests.length,
    signal: abort.signal,
  });
  await Promise.all([
    writeFile(join(directory, FILES.requests), ndjson(requests)),
    writeFile(join(directory, FILES.replies), ndjson(replies)),
    writeFile(join(directory, FILES.observations), json(observations)),
    copyFile(topology.overlayFile, join(directory, FILES.overlay)),
  ]);
  // Judged from the files and not from memory: the verdict must follow from what the folder holds.
  const records = await readRecords(directory);
  return { results: judge(records), records, topology };
}

/** The measured window: gate, stop the controller, send, observe again, continue the controller. */
async function measure(
  options: RunOptions,
  topology: Topology,
  tracing: ClientTracing,
): Promise<{ requests: RequestRecord[]; observations: Observations }> {
  const { command, screen, abort } = options;
  const { overlayFile, gatewayAdminUrl, controller } = topology;
  const revisions = (): ReturnType<typeof readRevisions> => readRevisions(overlayFile, gatewayAdminUrl);
  screen.live('waiting for published = accepted = serving ...');
  const gate = await waitForAgreement({
    read: revisions,
    timeoutMs: AGREEMENT_TIMEOUT_MS,
    signal: abort.signal,
  });
  const groups = await readGroups(gatewayAdminUrl, MODEL);

  controller.signal('SIGSTOP');
  const stateBefore = await stopped(controller.pid);
  const before = { revisions: await revisions(), overlay: overlayIdentity(overlayFile) };
  const { requests, overlayEvents, startedAt, durationMs } = await openWindow(options, topology, tracing);
  const after = { revisions: await revisions(), overlay: overlayIdentity(overlayFile) };
  const stateAfter = processState(controller.pid);
  controller.signal('SIGCONT');
  const observations: Observations = {
    requested: command.requests,
    policy: command.policy,
    seed: command.seed,
    backends: topology.backends,
    gate,
    activeGroup: groups[0] ?? [],
    activeGroups: groups.length,
    revisions: { before: before.revisions, after: after.revisions },
    overlay: { before: before.overlay, after: after.overlay },
    controller: { pid: controller.pid, stateBefore, stateAfter },
    overlayEvents,
    startedAt,
    durationMs,
  };
  return { requests, observations };
}

interface Window extends Pick<Observations, 'overlayEvents' | 'startedAt' | 'durationMs'> {
  readonly requests: RequestRecord[];
}

/** Sends the traffic under a watch on the overlay's folder. */
async function openWindow(
  { command, screen, abort }: RunOptions,
  { overlayFile, gatewayUrl, backends }: Topology,
  tracing: ClientTracing,
): Promise<Window> {
  let overlayEvents = 0;
  const watcher = watch(dirname(overlayFile), () => overlayEvents++);
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  try {
    const requests = await sendTraffic({
      gatewayUrl,
      requests: command.requests,
      providers: Object.keys(backends).length,
      tracing,
      onRecord: ({ n, provider }) => screen.live(`request ${n}/${command.requests}  ${provider ?? 'failed'}`),
      signal: abort.signal,
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
