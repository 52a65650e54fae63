import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appEntry, type FinishedProcess, runNodeToExit, type TempDir, tempDir } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../src/proofs/judge.ts';
import { readRecords } from '../src/records/evidence.ts';
import type { Records, StepRequest } from '../src/records/types.ts';
import { verify } from '../src/verify/verify-command.ts';

const DEMO = appEntry('demos/drain-and-fallback');
const RUN_TIMEOUT_MS = 170_000;
let dir: TempDir;
let run: FinishedProcess;
let records: Records;

beforeAll(async () => {
  dir = await tempDir();
  run = await runNodeToExit([DEMO, '--out', join(dir.path, 'run')], { timeoutMs: RUN_TIMEOUT_MS });
  records = await readRecords(join(dir.path, 'run'));
}, RUN_TIMEOUT_MS);
afterAll(() => dir.remove());

/** The records with the requests changed as told. */
function changed(change: (request: StepRequest) => StepRequest): Records {
  return { ...records, requests: records.requests.map(change) };
}

/** Ids of the proofs that fail for these records. */
function failing(of: Records): string[] {
  return judge(of)
    .proofs.filter(({ passed }) => !passed)
    .map(({ id }) => id);
}

describe('drain, kill, fall back and recover over real processes', () => {
  it('every proof holds', () => {
    expect(run.stderr).toBe('');
    expect(run.stdout).toMatch(/PASSED {2}\d+ requests, 12 of 12 proofs hold/);
    expect(run.code).toBe(0);
  });

  it('verify comes to the same verdict, until a record is changed', async () => {
    const directory = join(dir.path, 'run');
    expect((await verify(directory)).problems).toEqual([]);
    const file = join(directory, 'requests.ndjson');
    const good = await readFile(file, 'utf8');
    await writeFile(file, good.replace('"provider":"provider-d"', '"provider":"provider-a"'));
    expect((await verify(directory)).verified).toBe(false);
    await writeFile(file, good);
  });

  it.each<[string, string, (request: StepRequest) => StepRequest]>([
    [
      'steady',
      'a turn is taken twice',
      (r) => (r.step === 'steady' && r.n === 2 ? { ...r, provider: 'provider-a' } : r),
    ],
    [
      'drain-bound-stay',
      'a bound session leaves',
      (r) =>
        r.step === 'drain' && r.session === 's2'
          ? { ...r, provider: 'provider-a', affinity: 'failed_over' }
          : r,
    ],
    [
      'drain-nothing-new',
      'a new session drains in',
      (r) => (r.session === 's7' ? { ...r, provider: 'provider-b' } : r),
    ],
    [
      'fail-over-once',
      'a session moves twice',
      (r) => (r.step === 'kill-b' && r.session === 's2' ? { ...r, affinity: 'failed_over' } : r),
    ],
    [
      'lower-group',
      'a near provider serves in the outage',
      (r) => (r.step === 'outage' ? { ...r, provider: 'provider-a', group: 0 } : r),
    ],
    [
      'no-flapping',
      'a session flaps back',
      (r) => (r.step === 'recovered' && r.session !== null ? { ...r, provider: 'provider-b' } : r),
    ],
    ['no-failure', 'a client saw a 502', (r) => (r.step === 'kill-b' ? { ...r, status: 502 } : r)],
    [
      'undrained',
      'provider-b stays out',
      (r) => (r.step === 'undrained' && r.provider === 'provider-b' ? { ...r, provider: 'provider-c' } : r),
    ],
  ])('the proof %s fails when %s', (id, _what, change) => {
    expect(failing(records)).toEqual([]);
    expect(failing(changed(change))).toContain(id);
  });

  it('the proofs about spans and moments fail without them', () => {
    expect(failing({ ...records, spans: [] })).toEqual(
      expect.arrayContaining(['retry-order', 'recovery', 'counts']),
    );
    const moments = records.observations.moments.map((moment) => ({
      ...moment,
      rejected: null,
      controllerStopped: false,
    }));
    const blind = { ...records, observations: { ...records.observations, moments } };
    expect(failing(blind)).toEqual(expect.arrayContaining(['broken-overlay', 'lower-group']));
  });
});
