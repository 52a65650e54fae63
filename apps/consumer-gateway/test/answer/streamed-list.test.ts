import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { streamedList } from '../../src/answer/streamed-list.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe('a streamed list', () => {
  it.each([0, 1, 31, 32, 33, 1000])('of %d items is the JSON it would be at once', async (count) => {
    const items = numbers(count).map((id) => ({ id }));
    const response = streamedList({ head: { object: 'list' }, key: 'data', items });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe(JSON.stringify({ object: 'list', data: items }));
  });

  it('needs no members before the list', async () => {
    expect(await streamedList({ head: {}, key: 'data', items: [1] }).json()).toEqual({ data: [1] });
  });

  it('leaves out what is undefined, and does not count it', async () => {
    const items = numbers(100).map((n) => (n % 2 === 0 ? n : undefined));
    expect(await streamedList({ head: {}, key: 'data', items, limit: 3 }).json()).toEqual({
      data: [0, 2, 4],
      more: true,
    });
  });

  it('says nothing of more when the limit is where it ends', async () => {
    expect(await streamedList({ head: {}, key: 'data', items: [1, 2], limit: 2 }).json()).toEqual({
      data: [1, 2],
    });
  });

  it('gives other work its turn all along', async () => {
    let looked = 0;
    const items = (function* () {
      for (; looked < 3200; looked++) yield looked;
    })();
    const turns: number[] = [];
    const reading = streamedList({ head: {}, key: 'data', items }).text();
    let done = false;
    void reading.then(() => {
      done = true;
    });
    while (!done) {
      turns.push(looked);
      await nextTurn();
    }
    const strides = turns.slice(1).map((at, i) => at - (turns[i] ?? 0));
    expect(looked).toBe(3200);
    expect(Math.max(...strides)).toBeLessThan(320);
  });

  it('is not gone through further once the client has left', async () => {
    let looked = 0;
    let ended = false;
    const items = (function* () {
      try {
        for (;;) yield looked++;
      } finally {
        ended = true;
      }
    })();
    const reader = streamedList({ head: {}, key: 'data', items }).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(ended).toBe(true);
    expect(looked).toBeLessThan(320);
  });
});
