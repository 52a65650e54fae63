// A series: contestants side by side, in shuffled rounds, each in a window of its own; figures are CPU time of the proxy per
// request, which other jobs on the machine disturb far less than they do requests per second.
import { setTimeout as pause } from 'node:timers/promises';
import { median, shuffled } from '../../figures.mjs';
import { startLoad, writeRequest } from './native.mjs';
import { cpuNs } from './processes.mjs';
import { replyDiffers, windowFails } from './verify.mjs';

/** Middle and ends of a list of numbers. */
export function spread(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), values };
}

/** Starts a contestant and proves that its reply is the backend's. @returns the running one, or why there is none. */
export async function open(lab, contestant, { streamed = false, nodeArguments } = {}) {
  const missing = contestant.missing();
  if (missing !== undefined) return { contestant, failure: `skipped: ${missing}` };
  const { backend, directory, node } = lab;
  let running;
  try {
    running = await contestant.start({
      directory,
      node,
      nodeArguments,
      targets: backend.ports,
      sink: backend.sink,
      streamed,
    });
    const { port, headers } = running;
    const failure = await replyDiffers({ direct: backend.ports[0], port, headers, stream: streamed });
    return { contestant, running, failure };
  } catch (error) {
    return { contestant, running, failure: error.message };
  }
}

/** One window of load on one contestant. Nothing else may use the backend meanwhile. */
export async function window(lab, entry, plan) {
  try {
    return await measuredWindow(lab, entry, plan);
  } catch (error) {
    // A proxy that died, most likely: nothing is left to be read from /proc.
    return { load: { finished: 0 }, failure: error.message };
  }
}

async function measuredWindow(lab, { contestant, running }, { bodyBytes, streamed, load: options }) {
  const { port, headers } = running;
  const name = `request-${port}-${bodyBytes}`;
  const request = writeRequest(lab.directory, { name, port, bodyBytes, stream: streamed, headers });
  running.between?.();
  const { replyBytes } = await lab.backend.ask('stats');
  const before = cpuNs(running.pid);
  const load = await startLoad(lab.programs.load, request, { port, expect: replyBytes, ...options }).result;
  // Closed connections are the window's own work, and so is sending its traces.
  await pause(30);
  const got = await lab.backend.ask('stats');
  if (contestant.traces > 0) got.traces += await lateTraces(lab.backend);
  const cpu = cpuNs(running.pid) - before;
  const failure = windowFails({ load, got, bodyBytes: request.bodyBytes, exact: contestant.exact });
  return { load, got, failure, us: cpu / 1000 / load.finished };
}

/** Waits until no more traces come, and returns how many did. */
async function lateTraces(backend) {
  let sum = 0;
  for (let quiet = 0, asked = 0; quiet < 2 && asked < 30; asked++) {
    await pause(300);
    const { traces } = await backend.ask('stats');
    sum += traces;
    quiet = traces === 0 ? quiet + 1 : 0;
  }
  return sum;
}

/** A window of load on the backend itself. */
export async function directWindow(lab, port, { bodyBytes, load }) {
  const request = writeRequest(lab.directory, { name: `direct-${bodyBytes}`, port, bodyBytes });
  const { replyBytes } = await lab.backend.ask('stats');
  return startLoad(lab.programs.load, request, { port, expect: replyBytes, ...load }).result;
}

/**
 * Runs the rounds. A contestant that fails once is out, with the reason: its figures would be of something else.
 * @param plan - `reply` is a command for the backend, `load` are arguments of the load generator.
 * @returns one row per contestant; `ratio` is to `baseline` in the same round.
 */
export async function runSeries(lab, plan) {
  await lab.backend.ask(plan.reply);
  const entries = [];
  for (const contestant of plan.contestants) {
    entries.push({
      ...(await open(lab, contestant, plan)),
      us: [],
      ratio: [],
      rate: [],
      firstByte: [],
      traces: [],
    });
  }
  try {
    const alive = () => entries.filter((entry) => entry.failure === undefined);
    for (const entry of alive()) await warmUp(lab, entry, plan);
    for (let round = 0; round < lab.rounds; round++) {
      const figures = new Map();
      for (const entry of shuffled(alive())) {
        lab.progress(`${plan.name}: round ${round + 1} of ${lab.rounds}, ${entry.contestant.name}`);
        const result = await measured(lab, entry, plan);
        if (result !== undefined) figures.set(entry, result.us);
      }
      const baseline = entries.find((entry) => entry.contestant.name === plan.baseline);
      const unit = figures.get(baseline);
      for (const [entry, us] of figures) if (unit !== undefined) entry.ratio.push(us / unit);
    }
  } finally {
    for (const entry of entries) await entry.running?.stop();
  }
  return entries.map(rowOf);
}

/** Until the engine has compiled what there is to compile: that takes requests, not time, but the time is bounded. */
export async function warmUp(lab, entry, plan) {
  const { requests, limitMs } = lab.warm;
  const until = performance.now() + limitMs;
  let done = 0;
  do {
    lab.progress(`${plan.name ?? 'warm-up'}: ${entry.contestant.name} gets warm, ${done} requests`);
    const { load, failure } = await window(lab, entry, {
      ...plan,
      load: { ...plan.load, rate: 0, ms: lab.windowMs },
    });
    entry.failure ??= failure;
    done += load.finished;
  } while (entry.failure === undefined && done < requests && performance.now() < until);
}

async function measured(lab, entry, plan) {
  const result = await window(lab, entry, plan);
  entry.failure ??= result.failure;
  if (result.failure !== undefined) return undefined;
  entry.us.push(result.us);
  entry.rate.push(result.load.finished / result.load.seconds);
  entry.firstByte.push(result.load.firstByte.p50);
  entry.traces.push(result.got.traces / result.load.finished);
  return result;
}

function rowOf({ contestant, failure, us, ratio, rate, firstByte, traces }) {
  if (failure !== undefined) return { name: contestant.name, failure };
  return {
    name: contestant.name,
    us: spread(us),
    ...(ratio.length > 0 && { ratio: spread(ratio) }),
    perSecond: spread(rate),
    firstByteUs: spread(firstByte),
    ...(contestant.traces !== undefined && { tracesPerRequest: spread(traces) }),
  };
}
