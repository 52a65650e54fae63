import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRouter } from '@switchyard/ai-route';
import { parseManifests, renderOverlays } from '@switchyard/grid-core';
import { buildOverlay, overlayDigest, parseOverlay } from '@switchyard/overlay-contract';
import { type AppProcess, startApp, type TempDir, tempDir, waitUntil } from '@switchyard/test-kit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Members nobody here knows yet, on their way from a producer to the gateway: every hop is the real one. Whoever
// renders with buildOverlay can add members to candidates only. The controller adds none: it knows every member of a
// manifest and refuses the others. So further producers are played by writing into the finished envelope.

const scope = { network: 'demo', gateway: 'consumer', namespace: 'grid-system', localSite: 'site-local' };

type Extra = Readonly<Record<string, unknown>>;

const name = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toJSON',
    '10',
    '9',
    'x-zone',
    '',
    '😀',
    '\ufb33',
    'Raw',
    'stableId',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(1e21, 1e-7, 2 ** 60, -0, 0.1 + 0.2, 'a/b', '\u2028', '\u0000', '😀'),
);
/** Set before the known members, so that none of those is overwritten. */
const extra: fc.Arbitrary<Extra> = fc
  .array(fc.tuple(name, value), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries));

const extras = fc.record({
  candidates: fc.array(extra, { minLength: 1, maxLength: 4 }),
  envelope: extra,
  inside: fc.record({
    revision: extra,
    content_digest: extra,
    scope: extra,
    provenance: extra,
    overlay: extra,
  }),
  /** Which of several spellings of the same JSON is written, one choice after the other, over and over. */
  choices: fc.array(fc.nat({ max: 5 }), { minLength: 7, maxLength: 31 }),
});

interface Extras {
  readonly candidates: readonly Extra[];
  readonly envelope: Extra;
  readonly inside: Readonly<Record<string, Extra>>;
  readonly choices: readonly number[];
}

/** An envelope with extra members at every level, spelt as no serialiser of ours would. */
function produce({ candidates, envelope, inside, choices }: Extras): { bytes: Buffer; revision: string } {
  const built = buildOverlay({
    scope,
    provenance: {
      producer: 'someone',
      producerVersion: '9.1',
      sourceName: 'demo',
      sourceUid: 'uid-1',
      sourceGeneration: 3,
      renderedAt: '2026-01-01T00:00:00Z',
    },
    selectionPolicy: 'round_robin',
    candidates: candidates.map((more, index) => ({
      ...more,
      kind: 'inference_model',
      name: 'demo-model',
      site: `site-${index}`,
      cluster: `provider-${index}`,
      selection_group: 0,
    })),
  });
  const parts: Record<string, unknown> = { ...envelope, ...built.envelope };
  for (const [member, more] of Object.entries(inside)) {
    parts[member] = { ...more, ...(parts[member] as Record<string, unknown>) };
  }
  let taken = 0;
  const choose = (): number => choices[taken++ % choices.length] ?? 0;
  return { bytes: Buffer.from(spell(parts, choose)), revision: built.revision };
}

/** Some JSON text of a value: white space, escapes and ways to write a number differ. */
function spell(each: unknown, choose: () => number): string {
  const space = (): string => ['', ' ', '\n', '\t', '\r\n', ''][choose()] ?? '';
  if (Array.isArray(each))
    return `[${each.map((item) => space() + spell(item, choose)).join(',')}${space()}]`;
  if (typeof each === 'object' && each !== null) {
    const members = Object.entries(each).map(
      ([key, item]: [string, unknown]) => `${space()}${spell(key, choose)}${space()}:${spell(item, choose)}`,
    );
    return `{${members.join(',')}${space()}}`;
  }
  if (typeof each === 'string' && choose() === 0) {
    const units = Array.from({ length: each.length }, (_, index) => each.charCodeAt(index));
    return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
  }
  if (Object.is(each, -0)) return '-0';
  if (Number.isSafeInteger(each) && choose() === 0) return `${String(each)}.0`;
  return JSON.stringify(each);
}

/** What a hop makes of the bytes it is handed. */
type Hop = (bytes: Buffer, revision: string) => Promise<Buffer>;

async function survives(hop: Hop, numRuns: number): Promise<void> {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(extras, async (each) => {
      const { bytes, revision } = produce(each);
      const arrived = await hop(bytes, revision);
      expect(arrived.equals(bytes)).toBe(true);
      const result = parseOverlay(arrived, { expectedScope: scope });
      if (!result.ok) throw new Error(JSON.stringify(result.issues));
      expect(result.overlay.revision).toBe(revision);
      const written = JSON.parse(bytes.toString()) as { overlay: { candidates: unknown[] } };
      // As text: equal down to the order of members and to those named __proto__.
      const raw = result.overlay.candidates.map((candidate) => candidate.raw);
      expect(JSON.stringify(raw)).toBe(JSON.stringify(written.overlay.candidates));
      expect(overlayDigest({ ...written.overlay, candidates: raw })).toBe(revision);
      seen.add(revision);
    }),
    { numRuns },
  );
  // More than one revision: the members inside candidates are part of it.
  expect(seen.size).toBeGreaterThan(1);
}

describe('members that nobody here knows', () => {
  let dir: TempDir;
  let sync: AppProcess;
  const at = (file: string): string => join(dir.path, file);

  beforeAll(async () => {
    dir = await tempDir();
    sync = await startApp({
      app: 'overlay-sync',
      configDir: dir.path,
      config: {
        source: { file: './published.json' },
        output: './routing-overlay.json',
        expectedScope: scope,
        admin: { port: 0 },
        reload: { debounceMs: 0, pollMs: 50 },
      },
      expect: ['admin'],
    });
  });

  afterAll(async () => {
    await sync.stop();
    await dir[Symbol.asyncDispose]();
  });

  /** Published as the controller does it; arrived once the output file holds it. */
  async function throughSync(bytes: Buffer): Promise<Buffer> {
    await writeFile(at('next'), bytes);
    await rename(at('next'), at('published.json'));
    return waitUntil(
      async () => {
        const output = await readFile(at('routing-overlay.json')).catch(() => undefined);
        return output?.equals(bytes) === true && output;
      },
      { what: 'the output of overlay-sync', timeoutMs: 10_000 },
    );
  }

  it('reach the gateway through overlay-sync byte for byte', async () => {
    await survives(throughSync, 60);
  });

  it('are served by the router and kept in its last-good file byte for byte', async () => {
    await survives(async (bytes, revision) => {
      await writeFile(at('router.json'), bytes);
      const lastGoodFile = at('last-good.json');
      const router = await createRouter({
        overlayFile: at('router.json'),
        expectedScope: scope,
        reload: { lastGoodFile },
      });
      try {
        expect(router.status().servingRevision).toBe(revision);
        return await waitUntil(async () => {
          const kept = await readFile(lastGoodFile).catch(() => undefined);
          return kept?.equals(bytes) === true && kept;
        });
      } finally {
        await router.close();
      }
    }, 30);
  });

  it('are none in what the controller renders, and that passes as well', async () => {
    const apiVersion = 'grid.praxis-proxy.io/v1alpha1';
    const network = `{apiVersion: ${apiVersion}, kind: GridNetwork, metadata: {name: demo}, spec: {gatewayRefs: [{name: consumer, namespace: grid-system, localSiteName: site-local}]}}`;
    const provider = `{apiVersion: ${apiVersion}, kind: InferenceProvider, metadata: {name: provider-a}, spec: {gridNetworkRef: demo, endpoint: "http://127.0.0.1:1", models: [{name: demo-model}]}}`;
    const parsed = parseManifests([{ path: 'grid.yaml', text: `${network}\n---\n${provider}` }]);
    const [rendered] = renderOverlays({
      ...parsed,
      producer: { name: 'grid-controller', version: '1.0.0' },
      now: new Date('2026-01-01T00:00:00Z'),
    }).overlays;
    const arrived = await throughSync(Buffer.from(rendered?.text ?? ''));
    const result = parseOverlay(arrived, { expectedScope: scope });
    expect(result.ok && result.overlay.revision).toBe(rendered?.revision);
  });

  it.each<[string, Hop]>([
    ['writes JSON anew', async (bytes) => Buffer.from(JSON.stringify(JSON.parse(bytes.toString())))],
    ['decodes and encodes the text', async (bytes) => Buffer.from(bytes.toString('latin1'), 'utf8')],
    ['ends lines its own way', async (bytes) => Buffer.from(bytes.toString().replaceAll('\r\n', '\n'))],
  ])('the property catches a hop that %s', async (_what, hop) => {
    await expect(survives(hop, 200)).rejects.toThrow();
  });
});
