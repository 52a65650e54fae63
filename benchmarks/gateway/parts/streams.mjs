// 1,000 slow streams at once: what each costs in memory, and each event in CPU time.
import { setTimeout as pause } from 'node:timers/promises';
import { shuffled } from '../../figures.mjs';
import { startLoad, writeRequest } from '../lab/native.mjs';
import { cpuNs, memoryBytes } from '../lab/processes.mjs';
import { open, spread, window } from '../lab/series.mjs';
import { windowFails } from '../lab/verify.mjs';
import { streamsTable } from '../report/tables.mjs';
import { CONTESTANTS } from './closed-loop.mjs';

const STREAMS = 1000;
const GAP_MS = 500;
const BODY_BYTES = 512;

export const streams = {
  title: '1,000 slow streams at once',
  async run(lab) {
    const contestants = lab.only(CONTESTANTS);
    const rows = new Map(
      contestants.map(({ name }) => [name, { name, base: [], perStream: [], perEvent: [] }]),
    );
    for (let round = 0; round < Math.min(lab.rounds, 3); round++) {
      for (const contestant of shuffled(contestants)) {
        const row = rows.get(contestant.name);
        if (row.failure !== undefined) continue;
        lab.progress(`streams: round ${round + 1}, ${contestant.name}`);
        await once(lab, contestant, row);
      }
    }
    return [...rows.values()].map(({ name, failure, base, perStream, perEvent }) =>
      failure === undefined
        ? { name, baseBytes: spread(base), bytesPerStream: spread(perStream), usPerEvent: spread(perEvent) }
        : { name, failure },
    );
  },
  report: streamsTable,
};

/** A fresh process each time: memory that an earlier round needed is not given back. */
async function once(lab, contestant, row) {
  await lab.backend.ask('sse 1 0');
  const entry = await open(lab, contestant, { streamed: true });
  try {
    row.failure ??= entry.failure;
    if (row.failure !== undefined) return;
    await window(lab, entry, { bodyBytes: BODY_BYTES, streamed: true, load: { ms: 300, conns: 16 } });
    await pause(300);
    const { pid, port, headers } = entry.running;
    const base = memoryBytes(pid);
    const events = 8 + Math.round(lab.windowMs / GAP_MS);
    const { replyBytes } = await lab.backend.ask(`sse ${events} ${GAP_MS * 1000}`);
    const request = writeRequest(lab.directory, {
      name: `streams-${port}`,
      port,
      bodyBytes: BODY_BYTES,
      stream: true,
      headers,
    });
    const load = startLoad(lab.programs.load, request, {
      port,
      expect: replyBytes,
      conns: STREAMS,
      each: 1,
      ms: events * GAP_MS,
    });
    // All are open after two pauses; then only whole pauses are measured, and each brings one event per stream.
    await pause(GAP_MS * 2.5);
    const [from, began] = [cpuNs(pid), performance.now()];
    await pause(GAP_MS * (events - 6));
    const [to, ended] = [cpuNs(pid), performance.now()];
    const memory = memoryBytes(pid);
    const result = await load.result;
    const got = await lab.backend.ask('stats');
    row.failure ??= windowFails({ load: result, got, bodyBytes: request.bodyBytes, exact: contestant.exact });
    row.base.push(base);
    row.perStream.push((memory - base) / STREAMS);
    row.perEvent.push((to - from) / 1000 / ((STREAMS * (ended - began)) / GAP_MS));
  } finally {
    await entry.running?.stop();
  }
}
