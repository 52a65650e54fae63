import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRouter, RouterStartError, replaceFile } from '@switchyard/ai-route';
import { overlayDigest, parseOverlay } from '@switchyard/overlay-contract';
import { type TempDir, tempDir } from '@switchyard/test-kit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '../../src/config.ts';
import { createJudge } from '../../src/sync/judge.ts';
import { mutants } from '../support/mutants.ts';
import { SCOPE, sample } from '../support/overlays.ts';

let dir: TempDir;
let files = 0;

beforeAll(async () => {
  dir = await tempDir();
});
afterAll(() => dir.remove());

const judge = createJudge(
  configSchema.parse({ source: { file: 'in' }, output: 'out', expectedScope: SCOPE }),
);

/** Whether a gateway with the same scope and its own defaults starts with this file, of which it keeps a copy if told to. */
async function gatewayAccepts(overlayFile: string, lastGoodFile?: string): Promise<boolean> {
  try {
    const reload = { enabled: false, ...(lastGoodFile !== undefined && { lastGoodFile }) };
    const router = await createRouter({ overlayFile, expectedScope: SCOPE, reload });
    await router.close();
    return true;
  } catch (error) {
    // Any other error is a crash.
    expect(error).toBeInstanceOf(RouterStartError);
    return false;
  }
}

/** What a copy with `accepts` hands over, every gateway takes, byte for byte as it came. */
function handedOverIsTaken(accepts: (bytes: Uint8Array) => boolean): fc.IAsyncProperty<[Uint8Array]> {
  return fc.asyncProperty(mutants, async (bytes) => {
    if (!accepts(bytes)) return;
    const file = join(dir.path, `${files++}.json`);
    await replaceFile(file, bytes);
    const taken = await gatewayAccepts(file);
    const same = Buffer.compare(await readFile(file), bytes) === 0;
    await rm(file);
    return taken && same;
  });
}

interface LooseEnvelope {
  readonly schema_version: string;
  readonly revision: { readonly value: string };
  readonly content_digest: { readonly value: string };
  readonly scope: Readonly<Record<string, string>>;
  readonly overlay: Readonly<Record<string, unknown>>;
}

/** The checks of a copy with a validator of its own: looser than the gateway's in a dozen places. */
function laxCopyAccepts(bytes: Uint8Array): boolean {
  try {
    const document = JSON.parse(Buffer.from(bytes).toString('utf8')) as LooseEnvelope;
    const { schema_version: version, revision, content_digest: digest, scope, overlay } = document;
    return (
      version.startsWith('1.') &&
      scope['network'] === SCOPE.network &&
      scope['gateway'] === SCOPE.gateway &&
      scope['namespace'] === SCOPE.namespace &&
      scope['local_site'] === SCOPE.localSite &&
      revision.value === digest.value &&
      revision.value === overlayDigest(overlay)
    );
  } catch {
    return false;
  }
}

/** An accepted envelope with unknown members at every level, and white space of its own. */
const withAdditions: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.array(
      fc.record({
        at: fc.constantFrom(
          '',
          'scope',
          'provenance',
          'overlay',
          'overlay.candidates.0',
          'overlay.candidates.1',
        ),
        key: fc.string({ unit: 'grapheme', maxLength: 6 }).map((key) => `x_${key}`),
        value: fc.jsonValue({ maxDepth: 2 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    fc.constantFrom(0, 1, 3),
  )
  .map(([additions, indent]) => {
    const document = JSON.parse(sample().text) as LooseEnvelope & Record<string, unknown>;
    for (const { at, key, value } of additions) {
      const holder = at
        .split('.')
        .reduce<unknown>((into, step) => (step === '' ? into : (into as Json)[step]), document);
      Object.defineProperty(holder, key, { value, enumerable: true, configurable: true });
    }
    const digest = { algorithm: 'sha256', value: overlayDigest(document.overlay) };
    const text = JSON.stringify(
      { ...document, revision: { kind: 'content_addressed', ...digest }, content_digest: digest },
      null,
      indent,
    );
    return new Uint8Array(Buffer.from(text));
  });

type Json = Record<string, unknown>;

/** Every hop hands on what it was given: the copy to the gateway, and the gateway to its next start. */
function survives(handOver: (bytes: Uint8Array) => Uint8Array): fc.IAsyncProperty<[Uint8Array]> {
  return fc.asyncProperty(withAdditions, async (bytes) => {
    expect(judge(bytes)).toMatchObject({ ok: true });
    const [file, kept] = [join(dir.path, `${files++}.json`), join(dir.path, `${files++}.json`)];
    await replaceFile(file, handOver(bytes));
    expect(await gatewayAccepts(file, kept)).toBe(true);
    const same = Buffer.compare(await readFile(kept), bytes) === 0;
    await Promise.all([rm(file), rm(kept)]);
    return same;
  });
}

describe('unknown members at every level', () => {
  it('survive the copy and the gateway, byte for byte', { timeout: 60_000 }, async () => {
    await fc.assert(
      survives((bytes) => bytes),
      { numRuns: 50 },
    );
  });

  it('would not survive a copy that writes anew what it has read', { timeout: 60_000 }, async () => {
    const anew = (bytes: Uint8Array): Uint8Array =>
      Buffer.from(JSON.stringify(JSON.parse(Buffer.from(bytes).toString('utf8'))));
    const result = await fc.check(survives(anew), { numRuns: 50, seed: 1, endOnFailure: true });
    expect(result.failed).toBe(true);
  });
});

describe('what the copy accepts, the gateway accepts', () => {
  it('for mutated envelopes of all kinds', async () => {
    let accepted = 0;
    const counting = (bytes: Uint8Array): boolean => {
      const { ok } = judge(bytes);
      if (ok) accepted++;
      return ok;
    };
    await fc.assert(handedOverIsTaken(counting), { numRuns: 1000 });
    // Else the property would say nothing.
    expect(accepted).toBeGreaterThan(50);
  });

  it('the property notices a copy with a laxer validator of its own', async () => {
    const result = await fc.check(handedOverIsTaken(laxCopyAccepts), {
      numRuns: 3000,
      seed: 1,
      endOnFailure: true,
    });
    expect(result.failed).toBe(true);
  });

  it('and neither crashes; both say the same of each', async () => {
    const documents = fc.sample(mutants, { numRuns: 300 });
    await Promise.all(
      documents.map(async (bytes, index) => {
        const file = join(dir.path, `both-${index}.json`);
        await writeFile(file, bytes);
        expect(await gatewayAccepts(file)).toBe(judge(bytes).ok);
      }),
    );
  });

  it('the copy has the lower limit of size', () => {
    const text = sample().text;
    const padded = Buffer.from(text + ' '.repeat(1024 * 1024 + 1 - text.length));
    expect(judge(padded)).toMatchObject({ ok: false, issues: [{ code: 'too_large' }] });
    expect(judge(padded.subarray(0, -1)).ok).toBe(true);
    expect(parseOverlay(padded, { expectedScope: SCOPE }).ok).toBe(true);
  });
});
