import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLineWriter } from '../../src/log/line-writer.ts';

describe('createLineWriter', () => {
  it('lines of one turn leave in one write, in order', async () => {
    const writes: string[] = [];
    const lines = createLineWriter((text) => writes.push(text));
    lines.write({ n: 1 });
    lines.write({ n: 2 });
    expect(writes).toEqual([]);
    await turn();
    expect(writes).toEqual(['{"n":1}\n{"n":2}\n']);
  });

  it('flush writes what is held back, once', async () => {
    const writes: string[] = [];
    const lines = createLineWriter((text) => writes.push(text));
    lines.write({ n: 1 });
    lines.flush();
    lines.flush();
    await turn();
    expect(writes).toEqual(['{"n":1}\n']);
  });
});
