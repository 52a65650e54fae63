import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askJson, fixtures, switchyard } from './support/run-cli.ts';

const text = (name: string): string => readFileSync(join(fixtures, name), 'utf8');

interface Validated {
  readonly schemaVersion: number;
  readonly command: string;
  readonly valid: boolean;
  readonly files: readonly {
    readonly file: string;
    readonly valid: boolean;
    readonly issues: readonly { readonly code: string; readonly line: number; readonly path: string }[];
    readonly error: { readonly code: string } | null;
  }[];
}

describe('validate', () => {
  it('judges several files, and says where and what to do', async () => {
    const answer = await askJson<Validated>(['validate', 'overlay.json', 'legacy.json', 'misspelt.json']);
    expect(answer).toMatchObject({ schemaVersion: 1, command: 'overlay validate', valid: false, exit: 1 });
    expect(answer.files.map(({ file, valid }) => [file, valid])).toEqual([
      ['overlay.json', true],
      ['legacy.json', true],
      ['misspelt.json', false],
    ]);
    expect(answer.files[2]?.issues[0]).toMatchObject({
      code: 'invalid_selection_policy',
      line: 4,
      column: 23,
      hint: 'Did you mean "round_robin"? Correct it, or leave it out for deterministic.',
    });
  });

  it('compares the scope when one is expected', async () => {
    const scope = [
      '--expect-network',
      'demo',
      '--expect-namespace',
      'grid-system',
      '--expect-local-site',
      'site-local',
    ];
    expect(await switchyard(['overlay', 'validate', 'overlay.json', ...scope])).toMatchObject({ code: 0 });
    const other = await askJson<Validated>([
      'validate',
      'overlay.json',
      ...scope,
      '--expect-gateway',
      'other',
    ]);
    expect(other.files[0]?.issues).toMatchObject([
      { code: 'scope_mismatch', path: 'scope.gateway', line: 14 },
    ]);
    const bare = await askJson<Validated>(['validate', 'legacy.json', '--expect-network', 'demo']);
    expect(bare.files[0]?.issues).toMatchObject([{ code: 'scope_required' }]);
  });

  it('takes the limits of the readers', async () => {
    const few = await askJson<Validated>(['validate', 'overlay.json', '--max-candidates', '4']);
    expect(few.files[0]?.issues).toMatchObject([{ code: 'too_many_candidates' }]);
    const small = await askJson<Validated>(['validate', 'overlay.json', '--max-bytes', '10']);
    expect(small.files[0]?.issues).toMatchObject([{ code: 'too_large', line: 1, column: 1 }]);
  });

  it('goes on after a file it cannot read, and ends with 3', async () => {
    const answer = await askJson<Validated>(['validate', 'nowhere.json', 'overlay.json']);
    expect(answer.exit).toBe(3);
    expect(answer.files.map(({ error, valid }) => [error?.code, valid])).toEqual([
      ['unreadable', false],
      [undefined, true],
    ]);
  });
});

describe('digest', () => {
  it('hashes valid and edited documents, and says whether the claims agree', async () => {
    const valid = await askJson<{ computed: string }>(['digest', 'overlay.json']);
    expect(valid).toMatchObject({ command: 'overlay digest', file: 'overlay.json', agrees: true, exit: 0 });
    const edited = await askJson(['digest', 'edited.json']);
    expect(edited).toMatchObject({
      agrees: false,
      claimed: { revision: valid.computed, contentDigest: valid.computed },
      exit: 1,
    });
    expect(await askJson(['digest', 'legacy.json'])).toMatchObject({
      ...valid,
      file: 'legacy.json',
      format: 'legacy',
      agrees: null,
      claimed: {},
    });
    expect(await askJson(['digest', 'torn.json'])).toMatchObject({
      error: { code: 'invalid_overlay' },
      exit: 3,
    });
  });
});

describe('diff', () => {
  it('ends with 0 for the same meaning, 1 for another, 3 for bad input', async () => {
    const exit = async (...files: string[]): Promise<number | null> =>
      (await switchyard(['overlay', 'diff', ...files, '--quiet'])).code;
    expect(await exit('overlay.json', 'overlay.json')).toBe(0);
    expect(await exit('overlay.json', 'next.json')).toBe(1);
    expect(await exit('overlay.json', 'edited.json')).toBe(3);
    expect(await exit('overlay.json', 'nowhere.json')).toBe(3);
  });

  it('takes a document with other times for the same', async () => {
    const later = text('overlay.json').replaceAll('2026-01-01', '2026-02-02');
    const answer = await askJson(['diff', 'overlay.json', '-'], { input: later });
    expect(answer).toMatchObject({
      schemaVersion: 1,
      same: true,
      revision: { changed: false },
      changes: [{ type: 'metadata', field: 'provenance.rendered_at' }],
      serving: [],
      exit: 0,
    });
  });

  it('says where new requests go before and after', async () => {
    const { serving } = await askJson<{ serving: unknown[] }>(['diff', 'overlay.json', 'next.json']);
    expect(serving).toMatchObject([
      {
        capability: { kind: 'inference_model', name: 'demo-model' },
        before: { policy: 'round_robin', group: 0, members: [{}, {}, {}] },
        after: { policy: 'weighted_random', members: [{ weight: 3 }, { weight: 1 }] },
      },
      { capability: { name: 'search' }, before: null },
    ]);
  });
});

describe('explain', () => {
  it('gives every candidate a verdict', async () => {
    const answer = await askJson<{ candidates: { cluster: string; verdict: string }[] }>([
      ...['explain', 'overlay.json', '-m', 'demo-model', '--clusters', 'provider-b,provider-c,provider-d'],
    ]);
    expect(answer).toMatchObject({
      outcome: 'decided',
      activeGroup: 0,
      chosen: { cluster: 'provider-b' },
      exit: 0,
    });
    expect(answer.candidates.map(({ verdict }) => verdict)).toEqual([
      'unknown_cluster',
      'chosen',
      'eligible',
      'existing_only',
      'excluded',
    ]);
  });

  it('ends with 1 when nobody serves, and says what there is instead', async () => {
    const misspelt = await switchyard(['overlay', 'explain', 'overlay.json', '-m', 'demo-modle']);
    expect(misspelt).toMatchObject({ code: 1, stdout: '' });
    expect(misspelt.stderr).toContain('Did you mean "demo-model"?');
    const otherKind = await switchyard(['overlay', 'explain', 'next.json', '-m', 'search']);
    expect(otherKind.stderr).toContain('--kind mcp_tool');
    const gone = await switchyard([
      'overlay',
      'explain',
      'overlay.json',
      '-m',
      'demo-model',
      '--clusters',
      'provider-x',
    ]);
    expect(gone.code).toBe(1);
    expect(gone.stdout).toContain('Nobody can serve');
    expect(gone.stderr).toContain('no candidate names the cluster "provider-x". Did you mean "provider-a"?');
    const invalid = await askJson(['explain', 'torn.json', '-m', 'x']);
    expect(invalid).toMatchObject({ error: { code: 'invalid_overlay', issues: [{ line: 27 }] }, exit: 3 });
  });
});

describe('simulate', () => {
  interface Simulated {
    readonly counts: Record<string, number>;
    readonly sequence: readonly string[];
    readonly seed: number;
  }

  it('gives 60 picks 20/20/20, in turn', async () => {
    const answer = await askJson<Simulated>(['simulate', 'overlay.json', '--model', 'demo-model']);
    expect(answer).toMatchObject({ picks: 60, policy: 'round_robin', group: 0, outcome: 'picked', exit: 0 });
    expect(answer.counts).toEqual({ 'provider-a': 20, 'provider-b': 20, 'provider-c': 20 });
    expect(answer.sequence.slice(0, 4)).toEqual(['provider-a', 'provider-b', 'provider-c', 'provider-a']);
    expect(answer.sequence).toHaveLength(60);
  });

  it('tells the seed that draws the same again', async () => {
    const args = ['simulate', 'next.json', '--model', 'demo-model', '-n', '30'];
    const { seed, sequence } = await askJson<Simulated>(args);
    expect((await askJson<Simulated>([...args, '--seed', String(seed)])).sequence).toEqual(sequence);
  });

  it('plays an outage with --fail: retries, an ejection, and the way back', async () => {
    const args = ['simulate', 'overlay.json', '-m', 'demo-model', '--fail', 'provider-b:5', '--seed', '7'];
    const answer = await askJson(args);
    expect(answer).toMatchObject({
      retried: 5,
      ejections: [{ cluster: 'provider-b' }, { cluster: 'provider-b', forMs: null }],
      exit: 0,
    });
  });

  it('ends with 1 when there is nobody to pick', async () => {
    const answer = await askJson(['simulate', 'overlay.json', '-m', 'demo-model', '--clusters', 'x']);
    expect(answer).toMatchObject({ outcome: 'no_viable_candidate', counts: {}, sequence: [], exit: 1 });
  });
});
