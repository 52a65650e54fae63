// Prints the tables of benchmarks/README.md: node benchmarks/overlay/run.mjs [cost|stall|garbage|latency], after `pnpm build`.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureCost } from './cost.mjs';
import { measureGarbage } from './garbage.mjs';
import { measureLatency } from './latency.mjs';
import { measureStall } from './stall.mjs';

const SIZES = [3, 100, 1000, 10_000];
const wanted = process.argv.slice(2);
const directory = await mkdtemp(join(tmpdir(), 'switchyard-bench-'));
const parts = {
  cost: () => measureCost(SIZES),
  stall: () => measureStall(directory, SIZES),
  garbage: () => measureGarbage(directory, 10_000),
  latency: () => measureLatency(directory, 10_000),
};
const load = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');
console.log(`Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model}\n`);
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const before = load();
    const result = await measure();
    console.log(`${name} (load average ${before} before, ${load()} after)\n\n${result}\n`);
  }
} finally {
  await rm(directory, { recursive: true });
}
