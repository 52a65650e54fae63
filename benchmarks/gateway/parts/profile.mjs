// Where the time of our own gateway goes: a CPU profile under small JSON requests, by file and by function.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { switchyard } from '../contestants/switchyard.mjs';
import { open, window } from '../lab/series.mjs';
import { profileTable } from '../report/tables.mjs';

export const profile = {
  title: 'Where the time of the gateway goes',
  async run(lab) {
    const directory = join(lab.directory, 'profile');
    mkdirSync(directory);
    await lab.backend.ask('json');
    const nodeArguments = ['--cpu-prof', `--cpu-prof-dir=${directory}`, '--cpu-prof-interval=500'];
    const entry = await open(lab, switchyard, { nodeArguments });
    try {
      if (entry.failure === undefined) {
        lab.progress('profile');
        const load = { ms: lab.warmMs + 3 * lab.windowMs };
        entry.failure = (await window(lab, entry, { bodyBytes: 512, load })).failure;
      }
    } finally {
      await entry.running?.stop();
    }
    if (entry.failure !== undefined) return { failure: entry.failure };
    // A worker thread writes a profile of its own.
    const profiles = readdirSync(directory).map((name) =>
      JSON.parse(readFileSync(join(directory, name), 'utf8')),
    );
    return summarise(profiles.sort((a, b) => b.samples.length - a.samples.length)[0]);
  },
  report: profileTable,
};

function summarise({ nodes, samples, timeDeltas }) {
  const self = new Map();
  samples.forEach((id, i) => {
    self.set(id, (self.get(id) ?? 0) + timeDeltas[i]);
  });
  const [byFunction, byFile] = [new Map(), new Map()];
  let busy = 0;
  for (const { id, callFrame } of nodes) {
    const us = self.get(id) ?? 0;
    if (us === 0 || callFrame.functionName === '(idle)') continue;
    busy += us;
    const file = shortFile(callFrame.url);
    add(byFile, file, us);
    add(
      byFunction,
      `${callFrame.functionName || '(anonymous)'} ${file}${callFrame.url ? `:${callFrame.lineNumber + 1}` : ''}`,
      us,
    );
  }
  const top = (map, count) =>
    [...map]
      .sort(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([name, us]) => ({ name, share: us / busy }));
  return { files: top(byFile, 25), functions: top(byFunction, 40) };
}

function add(map, key, amount) {
  map.set(key, (map.get(key) ?? 0) + amount);
}

/** `(program)` and the collector have no file. */
function shortFile(url) {
  if (url === '') return '(engine)';
  return url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/node_modules\/(?!.*\/node_modules\/)/, '')
    .replace(/^.*\/((packages|apps)\/)/, '$1');
}
