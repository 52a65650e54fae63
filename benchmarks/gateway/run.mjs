// Prints the tables of benchmarks/README.md: node benchmarks/gateway/run.mjs [parts], after `pnpm build`. See --help.
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compile, startBackend } from './lab/native.mjs';
import { allocation } from './parts/allocation.mjs';
import { CONTESTANTS, json, json1m, json10k, paced, sse } from './parts/closed-loop.mjs';
import { latency } from './parts/latency.mjs';
import { profile } from './parts/profile.mjs';
import { streams } from './parts/streams.mjs';
import { tracing } from './parts/tracing.mjs';

const parts = { json, json10k, json1m, sse, paced, tracing, latency, streams, allocation, profile };

const help = `node benchmarks/gateway/run.mjs [part...] [options]

parts: ${Object.keys(parts).join(' ')}; all of them when none is named
  --rounds N      rounds per part (default 7)
  --window MS     load on one contestant in one round (default 1500)
  --quick         two rounds of 400 ms: whether it runs, not how fast
  --only A,B      contestants by name: ${CONTESTANTS.map(({ name }) => name).join(', ')}
  --node FILE     the Node that the contestants on Node run on (default: this one)
  --json FILE     all figures, every round
Linux with two cores and a C compiler. What is not installed is skipped with a message: nginx, HAProxy, and the
npm peers (cd benchmarks/gateway/peers && npm ci --ignore-scripts).`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    quick: { type: 'boolean' },
    rounds: { type: 'string' },
    window: { type: 'string' },
    only: { type: 'string' },
    node: { type: 'string' },
    json: { type: 'string' },
  },
});
if (options.help) {
  console.log(help);
  process.exit(0);
}
const unknown = positionals.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) refuse(`unknown part: ${unknown.join(', ')}\n\n${help}`);
if (process.platform !== 'linux' || availableParallelism() < 2)
  refuse('this needs Linux (/proc) and at least two cores');

const rounds = count('rounds', options.quick ? 2 : 7, 100);
const windowMs = count('window', options.quick ? 400 : 1500, 60_000);
const names = options.only?.split(',');
const directory = await mkdtemp(join(tmpdir(), 'switchyard-gateway-bench-'));
// Also after a signal: the processes end with this one, see lab/processes.mjs.
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
const report = {
  schemaVersion: 1,
  at: new Date().toISOString(),
  machine: machine(),
  rounds,
  windowMs,
  parts: {},
};
let backend;
try {
  const programs = compile(directory);
  backend = await startBackend(programs.backend);
  const lab = {
    directory,
    programs,
    backend,
    rounds,
    windowMs,
    warm: options.quick ? { requests: 0, limitMs: 0 } : { requests: 20_000, limitMs: 12_000 },
    node: options.node,
    only: (list) =>
      list.filter(({ name }) => names === undefined || names.includes(name) || name === 'nginx'),
    progress: (text) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`),
  };
  console.log(`${report.machine.node}, ${report.machine.cpu}; ${rounds} rounds of ${windowMs} ms\n`);
  for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) await measure(name, lab);
} finally {
  await backend?.stop();
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 1)}\n`);
}

async function measure(name, lab) {
  const { title, run, report: print } = parts[name];
  const before = loadavg();
  const result = await run(lab);
  report.parts[name] = { loadBefore: before, loadAfter: loadavg(), result };
  lab.progress('');
  const load = (averages) => averages[0].toFixed(1);
  console.log(
    `### ${title} (load average ${load(before)} before, ${load(loadavg())} after)\n\n${print(result)}\n`,
  );
}

function count(name, byDefault, most) {
  const value = options[name] === undefined ? byDefault : Number(options[name]);
  if (!Number.isInteger(value) || value < 1 || value > most)
    refuse(`--${name} is a whole number from 1 to ${most}`);
  return value;
}

function machine() {
  return { node: `Node ${process.versions.node}`, cpu: `${cpus().length} x ${cpus()[0]?.model}` };
}

function refuse(message) {
  console.error(message);
  process.exit(2);
}
