// Where the time of our own gateway goes: a CPU profile under small JSON requests, by file and by function.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { switchyard } from '../contestants/switchyard.mjs';
import { open, window } from '../lab/series.mjs';
import { profileTable } from '../report/tables.mjs';

const OURS = /\/(packages|apps)\/(?!.*\/node_modules\/)/;

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
        const load = { ms: 6 * lab.windowMs };
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
    add(self, id, timeDeltas[i]);
  });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const [byFile, byFunction, withCallees] = [new Map(), new Map(), new Map()];
  /** Adds a call's own time and returns it with that of all it called; `above` are the functions that are running. */
  const walk = ({ id, callFrame, children = [] }, above) => {
    if (callFrame.functionName === '(idle)') return 0;
    const name = nameOf(callFrame);
    const outermost = !above.has(name);
    const inside = outermost ? new Set(above).add(name) : above;
    const own = self.get(id) ?? 0;
    const all = own + children.reduce((sum, child) => sum + walk(byId.get(child), inside), 0);
    add(byFile, shortFile(callFrame.url), own);
    add(byFunction, name, own);
    if (outermost && OURS.test(callFrame.url)) add(withCallees, name, all);
    return all;
  };
  const busy = walk(nodes[0], new Set());
  const top = (map, count) =>
    [...map]
      .sort(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([name, us]) => ({ name, share: us / busy }));
  return { files: top(byFile, 25), functions: top(byFunction, 30), withCallees: top(withCallees, 40) };
}

function nameOf({ functionName, url, lineNumber }) {
  return `${functionName || '(anonymous)'} ${shortFile(url)}${url ? `:${lineNumber + 1}` : ''}`;
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
