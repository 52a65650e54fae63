// What a request allocates on the heap of JavaScript: V8's own count in the trace of its collections, between two collections
// that a signal forces before and after a window. Buffers of sockets are outside that heap and not in it.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { open, spread, warmUp, window } from '../lab/series.mjs';
import { allocationTable } from '../report/tables.mjs';
import { CONTESTANTS } from './closed-loop.mjs';

const probe = new URL('../lab/collect-on-signal.mjs', import.meta.url).href;
const nodeArguments = ['--expose-gc', '--trace-gc', '--trace-gc-nvp', `--import=${probe}`];
const BODY_BYTES = 512;

export const allocation = {
  title: 'Allocation per request',
  async run(lab) {
    const rows = [];
    for (const contestant of lab.only(CONTESTANTS).filter(({ node }) => node)) {
      await lab.backend.ask('json');
      const entry = await open(lab, contestant, { nodeArguments });
      const bytes = [];
      try {
        if (entry.failure === undefined) {
          await warmUp(lab, entry, { bodyBytes: BODY_BYTES });
          for (let round = 0; round < lab.rounds && entry.failure === undefined; round++) {
            lab.progress(`allocation: round ${round + 1} of ${lab.rounds}, ${contestant.name}`);
            bytes.push(await allocated(lab, entry));
          }
        }
      } finally {
        await entry.running?.stop();
      }
      rows.push(
        entry.failure === undefined
          ? { name: contestant.name, bytes: spread(bytes) }
          : { name: contestant.name, failure: entry.failure },
      );
    }
    return rows;
  },
  report: allocationTable,
};

async function allocated(lab, entry) {
  const { running } = entry;
  await collect(running);
  const before = collections(running.log);
  // The log is not emptied in this window: the trace is in it.
  const quiet = { ...entry, running: { ...running, between: undefined } };
  const { load, failure } = await window(lab, quiet, { bodyBytes: BODY_BYTES, load: { ms: lab.windowMs } });
  entry.failure ??= failure;
  await collect(running);
  const bytes = collections(running.log)
    .slice(before.length)
    .reduce((sum, each) => sum + each, 0);
  return bytes / load.finished;
}

/** Bytes that were allocated before each collection, since the one before. */
function collections(log) {
  return [...readFileSync(log, 'utf8').matchAll(/ allocated=(\d+) /g)].map(([, bytes]) => Number(bytes));
}

async function collect({ pid, log }) {
  const before = collections(log).length;
  process.kill(pid, 'SIGUSR2');
  for (const until = performance.now() + 10_000; performance.now() < until; await pause(20)) {
    if (collections(log).length > before) return;
  }
  throw new Error('no collection within 10 s of the signal');
}
