import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  appEntry,
  isAlive,
  runNodeToExit,
  spawnNode,
  type TempDir,
  tempDir,
  waitUntil,
} from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const DEMO = appEntry('demos/provider-traffic');
const NAMES = ['otlp-receiver', 'backend-a', 'provider-a', 'grid-controller', 'consumer-gateway'] as const;
let dir: TempDir;

beforeAll(async () => {
  dir = await tempDir();
});
afterAll(() => dir.remove());

const log = (out: string, name: string): Promise<string> =>
  readFile(join(dir.path, out, 'run/logs', `${name}.log`), 'utf8').catch(() => '');

/** Pids of the processes that have logged something. */
async function pids(out: string): Promise<number[]> {
  const texts = await Promise.all(NAMES.map((name) => log(out, name)));
  return texts.map((text) => Number(/"pid":(\d+)/.exec(text)?.[1] ?? 0)).filter((pid) => pid > 0);
}

describe('a run that is interrupted', () => {
  it('in the middle of the window ends with 128 + the signal, and so do its processes', async () => {
    const child = spawnNode([DEMO, '--requests', '10000', '--out', join(dir.path, 'window')]);
    await waitUntil(async () => (await log('window', 'consumer-gateway')).includes('"event":"request"'), {
      timeoutMs: 40_000,
    });
    child.kill('SIGTERM');
    const ended = await Promise.race([
      child.exited,
      new Promise<null>((resolve) => setTimeout(resolve, 15_000, null)),
    ]);
    if (ended === null) child.kill('SIGKILL');
    expect(ended).toMatchObject({ code: 143 });
    expect((await pids('window')).filter(isAlive)).toEqual([]);
  });

  it('by SIGKILL leaves none behind either', async () => {
    const child = spawnNode([DEMO, '--requests', '10000', '--out', join(dir.path, 'killed')]);
    await waitUntil(async () => (await log('killed', 'provider-a')) !== '', { timeoutMs: 40_000 });
    const started = await pids('killed');
    expect(started.length).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await child.exited;
    await waitUntil(() => started.every((pid) => !isAlive(pid)), { timeoutMs: 10_000 });
  });

  it('while the processes still start leaves none behind', async () => {
    const child = spawnNode([DEMO, '--out', join(dir.path, 'start')]);
    await waitUntil(async () => (await log('start', 'provider-a')) !== '', {
      timeoutMs: 40_000,
      intervalMs: 1,
    });
    child.kill('SIGINT');
    const ended = await Promise.race([
      child.exited,
      new Promise<null>((resolve) => setTimeout(resolve, 15_000, null)),
    ]);
    if (ended === null) child.kill('SIGKILL');
    expect(ended).toMatchObject({ code: 130 });
    expect((await pids('start')).filter(isAlive)).toEqual([]);
  });
});

describe('a run in odd surroundings', () => {
  const out = (): string => join(dir.path, 'odd');
  const evidence = (name: string): Promise<string> => readFile(join(out(), name), 'utf8');
  let errors = '';
  let code: unknown;

  beforeAll(async () => {
    await mkdir(join(out(), 'run/logs'), { recursive: true });
    await writeFile(join(out(), 'spans.otlp.jsonl'), '{"resourceSpans":"of an older run"}\n');
    await writeFile(join(out(), 'failure.txt'), 'of an older run\n');
    const child = spawn(process.execPath, [DEMO, '--requests', '3', '--json', '--out', out()], {
      env: {
        ...process.env,
        OTEL_SERVICE_NAME: 'mine',
        OTEL_SDK_DISABLED: 'true',
        OTEL_TRACES_SAMPLER: 'always_off',
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
        RANDOM_SEED: 'not a number',
      },
    });
    child.stdout.destroy();
    child.stderr.on('data', (chunk: Buffer) => {
      errors += String(chunk);
    });
    code = await new Promise((resolve) => child.once('close', resolve));
  });

  it('a reader that left (demo | head) changes neither verdict nor evidence', async () => {
    // Only what this shell would have hidden, and didn't, is told.
    expect(errors.split('\n').filter((line) => line !== '' && !line.startsWith('Note: OTEL_'))).toEqual([]);
    expect(code).toBe(0);
    expect(await evidence('SHA256SUMS')).toContain('results.json');
  });

  it('OTEL_* variables and names of the topology in the environment do not reach the measured processes', async () => {
    expect(JSON.parse(await evidence('results.json'))).toMatchObject({
      passed: true,
      counts: { gateway: { 'provider-a': 1, 'provider-b': 1, 'provider-c': 1 } },
    });
  });

  it('what an older run left in the evidence folder is gone', async () => {
    expect(await evidence('spans.otlp.jsonl')).not.toContain('older run');
    await expect(evidence('failure.txt')).rejects.toThrow('ENOENT');
  });

  it('a folder that holds anything else is refused with exit code 2, and nothing in it is touched', async () => {
    await writeFile(join(out(), 'diary.txt'), 'mine');
    const refused = await runNodeToExit([DEMO, '--requests', '3', '--out', out()]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('diary.txt');
    expect(await evidence('results.json')).toContain('"passed": true');
  });
});
