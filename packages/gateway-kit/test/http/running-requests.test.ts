import { describe, expect, it } from 'vitest';
import { RunningRequests } from '../../src/index.ts';

describe('RunningRequests', () => {
  it('is idle when the last one is done, and for whoever asks later', async () => {
    const running = new RunningRequests();
    await running.idle();
    const ends: (() => void)[] = [];
    for (let n = 0; n < 2; n++) running.add(new Promise((resolve) => ends.push(resolve)));
    let idle = false;
    const waited = running.idle().then(() => {
      idle = true;
    });
    ends[0]?.();
    await Promise.resolve();
    expect(idle).toBe(false);
    ends[1]?.();
    await waited;
    await running.idle();
  });
});
