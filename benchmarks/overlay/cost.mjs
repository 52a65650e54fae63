// What it costs to take in an overlay, as a multiple of what nobody can save: JSON.parse and SHA-256 of the same bytes.
import { createHash } from 'node:crypto';
import { judgeDocument } from '../../packages/ai-route/dist/judge/judge-document.js';
import { buildSnapshot } from '../../packages/ai-route/dist/snapshot/build-snapshot.js';
import { parseOverlay } from '../../packages/overlay-contract/dist/index.js';
import { median, ms, shuffled, table } from '../figures.mjs';
import { makeDocument } from './documents.mjs';

const parse = { maxBytes: 2 ** 30, maxCandidates: 1_000_000 };

/** Measures every size, variants interleaved in random order. Returns a Markdown table. */
export function measureCost(sizes) {
  const rows = sizes.map((size) => {
    const { bytes } = makeDocument(size);
    const variants = {
      floor: () => [JSON.parse(bytes.toString()), createHash('sha256').update(bytes).digest('hex')],
      parse: () => parseOverlay(bytes, parse),
      all: () => {
        const judged = judgeDocument({ bytes, parse, seen: [] });
        return buildSnapshot(judged.overlay, undefined);
      },
    };
    const repeat = Math.max(1, Math.round(2000 / size));
    const times = { floor: [], parse: [], all: [] };
    for (let round = -5; round < 21; round++) {
      for (const name of shuffled(Object.keys(times))) {
        const took = cpuMs(() => {
          for (let i = 0; i < repeat; i++) variants[name]();
        });
        if (round >= 0) times[name].push(took / repeat);
      }
    }
    const [floor, parsed, all] = [median(times.floor), median(times.parse), median(times.all)];
    return [
      size.toLocaleString('en'),
      `${(bytes.length / 1024).toFixed(0)} KiB`,
      ms(floor),
      ms(parsed),
      `${(parsed / floor).toFixed(2)}`,
      ms(all),
      `${(all / floor).toFixed(2)}`,
    ];
  });
  return table(
    [
      'candidates',
      'bytes',
      'floor, ms',
      'parsed, validated, digested, ms',
      'ratio',
      '+ raw digest, sorted, indexed, ms',
      'ratio',
    ],
    rows,
  );
}

/** CPU time on a machine that others use too; wall time where the clock of CPU time is too coarse to be less. */
function cpuMs(work) {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  work();
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(performance.now() - wall, (user + system) / 1000);
}
