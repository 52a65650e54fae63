// Reading an overlay against its floor, what no validator can avoid: decode, JSON.parse, SHA-256 of the same bytes.
// The two are run in turn, in random order, and compared by their medians: read the ratio, not the milliseconds.
// Needs the build: pnpm turbo run build --filter=@switchyard/overlay-contract
import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';

// Types of the sources, which are always there; the build, without the type stripping of a test runner, is measured.
/** @type {typeof import('../src/index.ts')} */
const { buildOverlay, parseOverlay } = await import(new URL('../dist/index.js', import.meta.url).href);

const limits = { maxBytes: 64 * 1024 * 1024, maxCandidates: 100_000 };

/** @param {number} index */
function candidate(index) {
  return {
    kind: /** @type {const} */ ('inference_model'),
    name: `model-${index % 7}`,
    site: `südwest-${index}`,
    cluster: `cluster-${index}`,
    stable_id: index.toString(16).padStart(8, '0'),
    fresh: true,
    rank: index,
    score: 1 / (index + 3),
    score_breakdown: { queue: 1 / (index + 7), cache: 1 / (index + 11), load: 1 / (index + 13) },
    admission_state: /** @type {const} */ ('new_and_existing'),
    selection_tier: 'same_zone',
    selection_group: 0,
  };
}

/** @param {number} count */
function documentOf(count) {
  const provenance = {
    producer: 'bench',
    producerVersion: '1',
    sourceName: 'bench',
    sourceUid: 'uid',
    sourceGeneration: 1,
    renderedAt: '2026-01-01T00:00:00Z',
  };
  const built = buildOverlay({
    scope: { network: 'bench', gateway: 'edge', namespace: 'grid', localSite: 'südwest-0' },
    provenance,
    candidates: Array.from({ length: count }, (_, index) => candidate(index)),
    selectionPolicy: 'round_robin',
    limits,
  });
  return Buffer.from(built.text);
}

/** @param {() => void} work */
function timed(work) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  work();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(wallMs, (user + system) / 1000); // waiting for a busy machine is not our cost
}

/** @param {number[]} samples */
function median(samples) {
  return samples.toSorted((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;
}

for (const count of [100, 1000, 10_000]) {
  const bytes = documentOf(count);
  const works = {
    floor: () => {
      JSON.parse(bytes.toString());
      createHash('sha256').update(bytes).digest('hex');
    },
    parseOverlay: () => {
      if (!parseOverlay(bytes, limits).ok) throw new Error('the document of the bench is refused');
    },
  };
  /** @type {Record<'floor' | 'parseOverlay', number[]>} */
  const samples = { floor: [], parseOverlay: [] };
  const rounds = Math.min(300, Math.max(21, 60_000 / count));
  for (let round = 0; round < rounds; round++) {
    if (Math.random() < 0.5) samples.floor.push(timed(works.floor));
    samples.parseOverlay.push(timed(works.parseOverlay));
    if (samples.floor.length <= round) samples.floor.push(timed(works.floor));
  }
  const [floor, parse] = [median(samples.floor), median(samples.parseOverlay)];
  const ms = `floor ${floor.toFixed(2)} ms, parseOverlay ${parse.toFixed(2)} ms`;
  console.log(`${count} candidates, ${bytes.length} bytes: ${ms}, ratio ${(parse / floor).toFixed(2)}`);
}
