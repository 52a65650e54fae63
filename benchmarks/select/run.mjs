// What one decision costs, in ns: node benchmarks/select/run.mjs [--rounds N] [--json FILE], after `pnpm build`.
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { createRouter } from '../../packages/ai-route/dist/index.js';
import { median, shuffled, table } from '../figures.mjs';

const MEMBERS = [3, 16, 64, 256, 1024];
const CAPABILITIES = [1, 100, 1000, 10_000];
/** Members of each of many capabilities. */
const MEMBERS_OF_MANY = 3;
const PER_ROUND = 50_000;

const { values: options } = parseArgs({ options: { rounds: { type: 'string' }, json: { type: 'string' } } });
const rounds = Number(options.rounds ?? 9);
if (!Number.isInteger(rounds) || rounds < 1 || rounds > 1000) {
  console.error('--rounds is a whole number from 1 to 1000');
  process.exit(2);
}

const shapes = [
  ...MEMBERS.map((members) => ({ members, capabilities: 1 })),
  ...CAPABILITIES.slice(1).map((capabilities) => ({ members: MEMBERS_OF_MANY, capabilities })),
];
const kinds = {
  'round robin': { selectionPolicy: 'round_robin' },
  random: { selectionPolicy: 'random' },
  'weighted round robin': { selectionPolicy: 'weighted_round_robin' },
  'new session': { selectionPolicy: 'round_robin', affinity: { enabled: true }, session: 'new' },
  'bound session': { selectionPolicy: 'round_robin', affinity: { enabled: true }, session: 'bound' },
};

const before = loadavg()[0];
const cases = [];
for (const shape of shapes) {
  for (const [kind, how] of Object.entries(kinds))
    cases.push({ ...shape, kind, ...(await prepare(shape, how)), ns: [] });
}
for (let round = -2; round < rounds; round++) {
  for (const each of shuffled(cases)) {
    const ns = cpuNsOf(() => each.work(PER_ROUND)) / PER_ROUND;
    if (round >= 0) each.ns.push(ns);
  }
}
for (const { router } of cases) await router.close();

const rows = shapes.map(({ members, capabilities }) => [
  capabilities.toLocaleString('en'),
  members.toLocaleString('en'),
  ...Object.keys(kinds).map((kind) => {
    const found = cases.find(
      (each) => each.kind === kind && each.members === members && each.capabilities === capabilities,
    );
    return median(found.ns).toFixed(0);
  }),
]);
console.log(
  `Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model}; ${rounds} rounds of ${PER_ROUND} decisions; load average ${before.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after\n`,
);
console.log(
  table(['capabilities', 'members each', ...Object.keys(kinds).map((kind) => `${kind}, ns`)], rows),
);
if (options.json !== undefined) {
  const figures = cases.map(({ members, capabilities, kind, ns }) => ({ members, capabilities, kind, ns }));
  await writeFile(options.json, `${JSON.stringify({ schemaVersion: 1, rounds, figures }, null, 1)}\n`);
}

/** A router over inline candidates in one group, and the work: decisions over all names in turn, each taken to its end. */
async function prepare({ members, capabilities }, { selectionPolicy, affinity, session }) {
  const weighted = selectionPolicy.startsWith('weighted');
  const names = Array.from({ length: capabilities }, (_, i) => `organisation/model-${i}`);
  const candidates = names.flatMap((name) =>
    Array.from({ length: members }, (_, i) => ({
      kind: 'inference_model',
      name,
      site: `site-${i}`,
      cluster: `provider-${i}`,
      selectionGroup: 0,
      ...(weighted && { trafficWeight: (i % 3) + 1 }),
    })),
  );
  const router = await createRouter({
    candidates,
    localSite: 'site-0',
    selectionPolicy,
    ...(affinity && { affinity }),
  });
  // Keys are made before the clock runs; the bound ones are asked for again and again.
  const bound = Array.from({ length: 1000 }, (_, i) => `session-${i}`);
  let n = 0;
  const work = (count) => {
    for (let i = 0; i < count; i++, n++) {
      const name = names[(n * 7919) % capabilities];
      const request = { kind: 'inference_model', name };
      if (session === 'bound') request.sessionKey = bound[n % bound.length];
      else if (session === 'new') request.sessionKey = `s${n}`;
      const result = router.select(request);
      if (!result.ok) throw new Error(result.reason);
      result.selection.confirm();
    }
  };
  return { router, work };
}

/** CPU time of this thread's process: another job on the core does not count. */
function cpuNsOf(work) {
  const cpu = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) * 1000;
}
