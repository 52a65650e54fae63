import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BackendReply,
  json,
  ndjson,
  RUN_FOLDER,
  readReply,
  type Screen,
  type Supervision,
  settle,
  startClientTracing,
} from '@switchyard/demo-kit';
import { judge } from '../proofs/judge.ts';
import { FILES, readRecords } from '../records/evidence.ts';
import type { Observations, Results, StepRequest } from '../records/types.ts';
import { play } from './scenario.ts';
import { Stage } from './stage.ts';
import { startTopology, type Topology } from './topology.ts';

/** A run that has been judged; everything still runs until the caller ends the children. */
export interface FinishedRun {
  readonly results: Results;
  readonly topology: Topology;
}

/** What one run needs from outside. */
export interface RunOptions extends Supervision {
  /** Evidence folder; it exists. */
  readonly directory: string;
  readonly screen: Screen;
}

/** Starts the topology, plays the story, writes the raw records and judges them by reading them back. */
export async function runDemo(options: RunOptions): Promise<FinishedRun> {
  const { directory, screen, abort } = options;
  const { signal } = abort;
  const replies: BackendReply[] = [];
  const topology = await startTopology({
    directory: join(directory, RUN_FOLDER),
    spansFile: join(directory, FILES.spans),
    onReply: (backend, reply) => replies.push(readReply(backend, reply)),
    onStep: (text) => screen.live(`starting ${text} ...`),
    onDeath: (message) => abort.abort(new Error(message)),
    children: options.children,
    onSpawn: options.onSpawn,
    signal,
  });
  signal.throwIfAborted();
  const tracing = startClientTracing(topology.tracesUrl);
  const stage = new Stage({ topology, tracing, screen, signal });
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  await play(stage).finally(() => stage.close());
  const durationMs = Math.round(performance.now() - startedMs);
  await tracing.shutdown();
  screen.live('collecting spans ...');
  const { requests, moments } = stage;
  await settle({
    spansFile: join(directory, FILES.spans),
    requests,
    spans: spansOf(requests),
    replies,
    answered: requests.filter(({ status }) => status === 200).length,
    signal,
  });
  const observations: Observations = { backends: topology.backends, moments, startedAt, durationMs };
  await Promise.all([
    writeFile(join(directory, FILES.requests), ndjson(requests)),
    writeFile(join(directory, FILES.replies), ndjson(replies)),
    writeFile(join(directory, FILES.observations), json(observations)),
    copyFile(topology.overlayFile, join(directory, FILES.overlay)),
  ]);
  // Judged from the files and not from memory: the verdict must follow from what the folder holds.
  return { results: judge(await readRecords(directory)), topology };
}

/** Client, consumer server, select, one client span per attempt; provider server and client, backend server. */
function spansOf(requests: readonly StepRequest[]): number {
  return requests.reduce((sum, { attempts }) => sum + 6 + (attempts ?? 0), 0);
}
