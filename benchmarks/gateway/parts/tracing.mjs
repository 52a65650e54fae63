// What tracing adds. Alternating windows can't tell: two windows of one process differ by more on a shared machine. So the
// gateways run at once, on the same core and at the same rate, and whatever the machine does it does to all of them.
import { setTimeout as pause } from 'node:timers/promises';
import { shuffled } from '../../figures.mjs';
import { switchyard, traced } from '../contestants/switchyard.mjs';
import { startLoad, writeRequest } from '../lab/native.mjs';
import { cpuNs } from '../lab/processes.mjs';
import { open, spread, warmUp } from '../lab/series.mjs';
import { tracingTable } from '../report/tables.mjs';

/** Requests per second on each of them. */
const RATE = 500;
const SMALL = 512;
/** Processes of each kind: two of one program differ, too. */
const STARTS = 5;

export const tracing = {
  title: `Tracing on against off, ${RATE} requests per second each, side by side`,
  async run(lab) {
    const rows = [switchyard, ...traced].map(({ name }) => ({ name, us: [], ratio: [], traces: [] }));
    for (let start = 1; start <= STARTS; start++) {
      const failure = await oneStart(lab, rows, start);
      if (failure !== undefined) return rows.map(({ name }) => ({ name, failure }));
    }
    return rows.map(({ name, us, ratio, traces }, i) => ({
      name,
      us: spread(us),
      ratio: spread(ratio),
      ...(i > 0 && { tracesPerRequest: spread(traces) }),
    }));
  },
  report: tracingTable,
};

/** Adds the rounds of fresh processes to the rows. @returns what failed, if anything did. */
async function oneStart(lab, rows, start) {
  await lab.backend.ask('json');
  const entries = [];
  try {
    for (const contestant of [switchyard, ...traced]) entries.push(await open(lab, contestant));
    for (const entry of entries) {
      if (entry.failure === undefined) await warmUp(lab, entry, { bodyBytes: SMALL, load: {} });
      if (entry.failure !== undefined) return entry.failure;
    }
    for (let round = 1; round <= lab.rounds; round++) {
      lab.progress(`tracing: start ${start} of ${STARTS}, round ${round} of ${lab.rounds}`);
      const figures = await sideBySide(lab, entries);
      if (figures.failure !== undefined) return figures.failure;
      for (const [i, { us, traces }] of figures.entries()) {
        rows[i].us.push(us);
        rows[i].ratio.push(us / figures[0].us);
        rows[i].traces.push(traces);
      }
    }
    return undefined;
  } finally {
    for (const entry of entries) await entry.running?.stop();
  }
}

/** One window of load on all at once. */
async function sideBySide(lab, entries) {
  const { replyBytes } = await lab.backend.ask('stats');
  const before = entries.map(({ running }) => cpuNs(running.pid));
  const loads = new Map();
  for (const entry of shuffled(entries)) {
    const { port, headers } = entry.running;
    const request = writeRequest(lab.directory, { name: `side-${port}`, port, bodyBytes: SMALL, headers });
    const load = { port, expect: replyBytes, rate: RATE, ms: lab.windowMs };
    loads.set(entry, startLoad(lab.programs.load, request, load).result);
  }
  const results = [];
  for (const entry of entries) results.push(await loads.get(entry));
  // The last batch of spans is the window's own work.
  await pause(1300);
  const got = await lab.backend.ask('stats');
  const broken = results.find(({ not200, wrongSize, broken }) => not200 + wrongSize + broken > 0);
  const sent = results.reduce((sum, { finished }) => sum + finished, 0);
  const seen = got.requests.reduce((sum, count) => sum + count, 0);
  if (broken !== undefined || seen !== sent)
    return { failure: `${sent} requests were answered, the backends saw ${seen}` };
  // The sink counts the traces of both: nearly all are of the one that keeps all.
  const shares = [0, results[1].finished * 0.01, got.traces - results[1].finished * 0.01];
  return results.map(({ finished }, i) => ({
    us: (cpuNs(entries[i].running.pid) - before[i]) / 1000 / finished,
    traces: shares[i] / finished,
  }));
}
