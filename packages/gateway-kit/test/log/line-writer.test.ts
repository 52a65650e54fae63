import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLineWriter, stdoutLines } from '../../src/log/line-writer.ts';

describe('createLineWriter', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function recording(): { writes: string[]; lines: ReturnType<typeof createLineWriter> } {
    const writes: string[] = [];
    return { writes, lines: createLineWriter((text) => writes.push(text)) };
  }

  it('lines of 50 ms leave in one write, in order', () => {
    const { writes, lines } = recording();
    lines.write({ n: 1 });
    vi.advanceTimersByTime(49);
    lines.writeJson('{"n":2}');
    expect(writes).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(writes).toEqual(['{"n":1}\n{"n":2}\n']);
    lines.write({ n: 3 });
    vi.advanceTimersByTime(50);
    expect(writes.slice(1)).toEqual(['{"n":3}\n']);
  });

  it('more than 64 KiB do not wait', () => {
    const { writes, lines } = recording();
    lines.write({ text: 'x'.repeat(65_536) });
    expect(writes).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    expect(writes).toHaveLength(1);
  });

  it('flush writes what is held back, once', () => {
    const { writes, lines } = recording();
    lines.write({ n: 1 });
    lines.flush();
    lines.flush();
    vi.advanceTimersByTime(1000);
    expect(writes).toEqual(['{"n":1}\n']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('stdoutLines', () => {
  it('a line is not lost when the process is ended right after it', () => {
    const before = new Set(process.listeners('exit'));
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      stdoutLines().writeJson('{"n":1}');
      expect(written).not.toHaveBeenCalled();
      const added = process.listeners('exit').filter((listener) => !before.has(listener));
      for (const listener of added) listener(0);
      expect(written.mock.calls).toEqual([['{"n":1}\n']]);
      for (const listener of added) process.off('exit', listener);
    } finally {
      written.mockRestore();
    }
  });
});
