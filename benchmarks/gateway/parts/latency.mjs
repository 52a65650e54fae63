// What a proxy adds to the latency of a request, in an open loop: requests are sent by the clock, whatever became of those
// before, and their latency counts from the moment they were due.
import { shuffled } from '../../figures.mjs';
import { directWindow, open, spread, warmUp, window } from '../lab/series.mjs';
import { latencyTable } from '../report/tables.mjs';
import { CONTESTANTS } from './closed-loop.mjs';

const RATE = 300;
const BODY_BYTES = 512;

export const latency = {
  title: 'Latency at a fixed rate',
  async run(lab) {
    await lab.backend.ask('json');
    const entries = [];
    for (const contestant of lab.only(CONTESTANTS)) entries.push(await open(lab, contestant));
    try {
      const rows = entries.map((entry) => ({ entry, fixed: [], half: [] }));
      for (const row of rows)
        if (row.entry.failure === undefined) row.halfRate = await halfOfCapacity(lab, row.entry);
      for (let round = 0; round < lab.rounds; round++) {
        const direct = { fixed: await directly(lab, RATE) };
        for (const row of shuffled(rows.filter(({ entry }) => entry.failure === undefined))) {
          lab.progress(`latency: round ${round + 1} of ${lab.rounds}, ${row.entry.contestant.name}`);
          await measure(lab, row, { kind: 'fixed', rate: RATE, direct: direct.fixed });
          await measure(lab, row, {
            kind: 'half',
            rate: row.halfRate,
            direct: await directly(lab, row.halfRate),
          });
        }
      }
      return rows.map(rowOf);
    } finally {
      for (const { running } of entries) await running?.stop();
    }
  },
  report: (rows) => latencyTable(rows, RATE),
};

async function halfOfCapacity(lab, entry) {
  const plan = { bodyBytes: BODY_BYTES, streamed: false };
  await warmUp(lab, entry, plan);
  if (entry.failure !== undefined) return 0;
  const { load, failure } = await window(lab, entry, { ...plan, load: { ms: lab.windowMs } });
  entry.failure ??= failure;
  return Math.max(10, Math.round(load.finished / load.seconds / 2));
}

/** The same load on a backend without a proxy between. */
async function directly(lab, rate) {
  const load = await directWindow(lab, lab.backend.ports[0], {
    bodyBytes: BODY_BYTES,
    load: { ms: lab.windowMs / 2, rate },
  });
  return load.total;
}

async function measure(lab, row, { kind, rate, direct }) {
  const plan = { bodyBytes: BODY_BYTES, streamed: false, load: { ms: lab.windowMs * 1.5, rate } };
  const { load, failure } = await window(lab, row.entry, plan);
  row.entry.failure ??= failure;
  if (failure === undefined)
    row[kind].push({ ...load.total, addedP50: load.total.p50 - direct.p50, directP50: direct.p50 });
}

function rowOf({ entry, fixed, half, halfRate }) {
  const { contestant, failure } = entry;
  if (failure !== undefined) return { name: contestant.name, failure };
  const of = (windows) =>
    Object.fromEntries(
      ['p50', 'p99', 'addedP50', 'directP50'].map((what) => [
        what,
        spread(windows.map((each) => each[what])),
      ]),
    );
  return { name: contestant.name, fixed: of(fixed), half: { ratePerSecond: halfRate, ...of(half) } };
}
