import { join } from 'node:path';
import { type BackendReply, RUN_FOLDER, readReply, type Supervision } from '@switchyard/demo-kit';
import type { RunCommand } from '../cli/options.ts';
import { FILES } from '../records/evidence.ts';
import { type Measured, measure } from './measure.ts';
import type { RunObserver } from './observer.ts';
import { startTopology, type Topology, type TopologyOptions } from './topology.ts';

/** A run that has been judged; everything still runs until the caller ends the children. */
export interface FinishedRun extends Measured {
  readonly topology: Topology;
  /** What the backends logged so far; it goes on growing while they run. */
  readonly replies: readonly BackendReply[];
}

/** What one run needs from outside. */
export interface RunOptions extends Supervision {
  readonly command: RunCommand;
  /** Evidence folder; it exists. */
  readonly directory: string;
  readonly observer: RunObserver;
  /** URL of a trace receiver that runs already and writes `spans.otlp.jsonl`; null = start one. */
  readonly tracesUrl: string | null;
}

/** Starts the topology and measures one window. */
export async function runDemo(options: RunOptions): Promise<FinishedRun> {
  const { command, directory, observer, abort } = options;
  const replies: BackendReply[] = [];
  const topology = await startTopology(topologyOptions(options, replies));
  abort.signal.throwIfAborted();
  observer.ready(topology);
  const { requests, policy, seed } = command;
  const measured = await measure({
    topology,
    directory,
    requests,
    policy,
    seed,
    replies,
    observer,
    signal: abort.signal,
  });
  return { ...measured, topology, replies };
}

function topologyOptions(options: RunOptions, replies: BackendReply[]): TopologyOptions {
  const { command, directory, observer, abort, tracesUrl } = options;
  return {
    directory: join(directory, RUN_FOLDER),
    policy: command.policy,
    seed: command.seed,
    spans: tracesUrl === null ? { file: join(directory, FILES.spans) } : { url: tracesUrl },
    onReply: (backend, event) => {
      const reply = readReply(backend, event);
      replies.push(reply);
      observer.replied(reply);
    },
    onGatewayLog: (event) => observer.gatewayLogged(event),
    onStep: (text) => observer.step({ phase: 'starting', text: `starting ${text}` }),
    onDeath: (message) => abort.abort(new Error(message)),
    children: options.children,
    onSpawn: options.onSpawn,
    signal: abort.signal,
  };
}
