import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ManualClock, repositoryRoot, seededRandom, tempDir, waitUntil } from '../src/index.ts';

describe('ManualClock', () => {
  it('moves both readings together, and only when told', () => {
    const clock = new ManualClock({ epochMs: 1000 });
    clock.advance(250);
    expect([clock.now(), clock.monotonicMs()]).toEqual([1250, 250]);
    expect(() => clock.advance(-1)).toThrow(RangeError);
  });

  it('lets the wall clock step back while the monotonic one stays', () => {
    const clock = new ManualClock({ epochMs: 1000, monotonicMs: 7 });
    clock.setWallClock(10);
    expect([clock.now(), clock.monotonicMs()]).toEqual([10, 7]);
  });
});

describe('seededRandom', () => {
  it('repeats for a seed, differs for its neighbour, and stays in 32 bits', () => {
    const draw = (seed: number): number[] => Array.from({ length: 50 }, seededRandom(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    for (const value of draw(3)) expect(value >>> 0).toBe(value);
  });

  it('sets each of the 32 bits about half of the time', () => {
    const random = seededRandom(42);
    const ones = new Array<number>(32).fill(0);
    for (let n = 0; n < 10_000; n++) {
      const value = random();
      for (let bit = 0; bit < 32; bit++) ones[bit] = (ones[bit] ?? 0) + ((value >>> bit) & 1);
    }
    // Six standard deviations of a fair coin: 6 * 50.
    for (const count of ones) expect(Math.abs(count - 5000)).toBeLessThan(300);
  });
});

describe('waitUntil', () => {
  it('returns the first answer that is one, and takes zero and the empty string for answers', async () => {
    let calls = 0;
    expect(await waitUntil(() => (++calls < 3 ? undefined : calls), { intervalMs: 1 })).toBe(3);
    expect(await waitUntil(() => 0)).toBe(0);
    expect(await waitUntil(() => '')).toBe('');
  });

  it('gives up on a probe that never answers, too', async () => {
    const waiting = waitUntil(() => new Promise<never>(() => undefined), { timeoutMs: 20 });
    await expect(waiting).rejects.toThrow('Waited 20 ms for condition');
  }, 2000);

  it('says what it waited for and keeps the last error', async () => {
    const cause = new Error('refused');
    const waiting = waitUntil(() => Promise.reject(cause), {
      timeoutMs: 20,
      intervalMs: 1,
      what: 'the port',
    });
    const error: unknown = await waiting.catch((e: unknown) => e);
    expect(String(error)).toMatch(/20 ms for the port.*refused/);
    expect(error).toHaveProperty('cause', cause);
  });
});

describe('tempDir', () => {
  it('is gone with its content, and may be removed twice', async () => {
    const dir = await tempDir();
    await writeFile(join(dir.path, 'file'), 'x');
    await dir.remove();
    await dir.remove();
    expect(existsSync(dir.path)).toBe(false);
  });
});

it('repositoryRoot is where the workspace file stands', () => {
  expect(existsSync(join(repositoryRoot(), 'pnpm-workspace.yaml'))).toBe(true);
});
