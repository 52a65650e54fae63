import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  appEntry,
  type FinishedProcess,
  isAlive,
  repositoryRoot,
  runNodeToExit,
  spawnNode,
  type TempDir,
  tempDir,
  waitUntil,
} from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../src/verify/verify-command.ts';

const DEMO = appEntry('demos/provider-traffic');
let dir: TempDir;

beforeAll(async () => {
  dir = await tempDir();
});
afterAll(() => dir.remove());

function demo(...args: string[]): Promise<FinishedProcess> {
  return runNodeToExit([DEMO, ...args], { timeoutMs: 55_000 });
}

/** The output of a run as the README at the root shows it. */
async function shownInReadme(): Promise<string> {
  const readme = await readFile(join(repositoryRoot(), 'README.md'), 'utf8');
  return /^```text\n(60 requests [^`]*)```/m.exec(readme)?.[1] ?? 'no output of the demo';
}

const timeless = (output: string): string => output.replace(/in \d+\.\d s$/m, 'in a moment');

describe('the demo over real processes', () => {
  it('60 requests are exactly 20/20/20; a second run beside it is undisturbed; verify agrees with both', async () => {
    const [first, second] = await Promise.all([
      demo('--out', join(dir.path, 'first')),
      demo('--out', join(dir.path, 'second'), '--requests', '9', '--json'),
    ]);
    expect(first.stderr).toBe('');
    expect(first.stdout).toContain('PASSED  60 requests, 20/20/20, round_robin');
    expect(first.stdout).toMatch(/curl -i http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions/);
    expect(first.code).toBe(0);
    expect(timeless(first.stdout)).toContain(timeless(await shownInReadme()));
    expect(second.code).toBe(0);
    const results = JSON.parse(second.stdout) as Record<string, unknown>;
    expect(results).toMatchObject({ schemaVersion: 1, passed: true, requests: 9, policy: 'round_robin' });
    const verified = await demo('verify', join(dir.path, 'first'));
    expect(verified.stdout).toContain('VERIFIED');
    expect(verified.code).toBe(0);
    expect((await demo('verify', join(dir.path, 'second'))).code).toBe(0);
  });

  it('an edited line fails verification, even with checksums and results made to fit', async () => {
    const directory = join(dir.path, 'first');
    const file = join(directory, 'requests.ndjson');
    const good = await readFile(file, 'utf8');
    await writeFile(file, good.replace('provider-b', 'provider-a'));
    const edited = await demo('verify', directory);
    expect(edited.code).toBe(4);
    expect(edited.stdout).toContain('requests.ndjson is not the file that the run wrote');
    const { problems } = await verify(directory);
    // What would stay if somebody also rewrote the checksums: spans and backend logs still say otherwise.
    expect(problems.filter((problem) => problem.startsWith('proof '))).toHaveLength(3);
    await writeFile(file, good);
    expect((await verify(directory)).problems).toEqual([]);
  });

  it('each file is vouched for: edited, emptied or removed it is found, also with SHA256SUMS made anew', async () => {
    const directory = join(dir.path, 'second');
    const sums = await readFile(join(directory, 'SHA256SUMS'), 'utf8');
    const names = sums
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(66));
    expect(names).toHaveLength(8 + 8);
    for (const name of names) {
      const file = join(directory, name);
      const good = await readFile(file, 'utf8');
      await writeFile(file, good.replace(/[0-8](?=[^0-8]*$)/, '9'));
      expect((await verify(directory)).problems.join(), `${name} edited`).toContain(name);
      const digest = createHash('sha256').update('').digest('hex');
      await writeFile(file, '');
      await writeFile(
        join(directory, 'SHA256SUMS'),
        sums.replace(new RegExp(`.{64}(?=  ${name}$)`, 'm'), digest),
      );
      // No check can tell whether the config of a process is the one it ran with; everything else is held together.
      if (!name.startsWith('config/')) {
        const verdict = await verify(directory).then(
          ({ verified }) => verified,
          () => false,
        );
        expect(verdict, `${name} emptied`).toBe(false);
      }
      await writeFile(join(directory, 'SHA256SUMS'), sums.replace(new RegExp(`^.*  ${name}\n`, 'm'), ''));
      await writeFile(file, good);
      expect((await verify(directory)).problems, `${name} left out`).toHaveLength(1);
      await writeFile(join(directory, 'SHA256SUMS'), sums);
    }
    expect((await verify(directory)).problems).toEqual([]);
  });

  it('deterministic sends everything to the first', async () => {
    const { code, stdout } = await demo(
      '--policy',
      'deterministic',
      '--requests',
      '6',
      '--out',
      join(dir.path, 'det'),
    );
    expect(stdout).toContain('PASSED  6 requests, 6/0/0, deterministic');
    expect(code).toBe(0);
  });

  it('random with a seed draws the same sequence again', async () => {
    const run = async (out: string): Promise<unknown> => {
      const { stdout, code } = await demo(
        '--policy',
        'random',
        '--seed',
        '7',
        '--requests',
        '30',
        '--json',
        '--out',
        join(dir.path, out),
      );
      expect(code).toBe(0);
      return (JSON.parse(stdout) as { sequence: string[] }).sequence;
    };
    const [once, again] = await Promise.all([run('random-1'), run('random-2')]);
    expect(again).toEqual(once);
  });
});

describe('the demo when things go wrong', () => {
  /** Starts the demo and waits until the consumer gateway runs; pids of all processes by name. */
  async function startKept(
    out: string,
  ): Promise<{ child: ReturnType<typeof spawnNode>; pids: () => number[] }> {
    const child = spawnNode([DEMO, '--keep', '--requests', '3', '--out', join(dir.path, out)]);
    await waitUntil(() => child.stdout.some((line) => line.includes('Everything keeps running')), {
      timeoutMs: 40_000,
    });
    const logs = [
      'grid-controller',
      'consumer-gateway',
      'provider-a',
      'provider-b',
      'provider-c',
      'backend-a',
    ];
    const found = await Promise.all(
      logs.map(async (name) => {
        const text = await readFile(join(dir.path, out, 'run/logs', `${name}.log`), 'utf8');
        return Number(/"pid":(\d+)/.exec(text)?.[1] ?? 0);
      }),
    );
    expect(found.every((pid) => pid > 0 && isAlive(pid))).toBe(true);
    return { child, pids: () => found };
  }

  it('Ctrl-C leaves no process behind', async () => {
    const { child, pids } = await startKept('kept');
    child.kill('SIGINT');
    const { code } = await child.exited;
    expect(code).toBe(0);
    expect(pids().filter(isAlive)).toEqual([]);
  });

  it('a child that dies ends the run with the tail of its log, and the others go with it', async () => {
    const { child, pids } = await startKept('death');
    process.kill(pids()[2] ?? 0, 'SIGKILL');
    const { code } = await child.exited;
    expect(code).toBe(1);
    expect(child.stderr.join('\n')).toMatch(
      /provider-a \(pid \d+\) ended with signal SIGKILL\. The end of its log:/,
    );
    expect(child.stderr.join('\n')).toContain('insecure-plaintext');
    await waitUntil(() => pids().every((pid) => !isAlive(pid)));
  });

  it('bad command lines are exit code 2, a folder without evidence is 1', async () => {
    expect((await demo('--policy', 'fair')).code).toBe(2);
    expect((await demo('verify', join(dir.path, 'nothing'))).code).toBe(1);
    expect((await demo('--help')).stdout).toContain('Examples');
  });
});
