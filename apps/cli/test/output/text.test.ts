import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bars } from '../../src/output/bars.ts';
import { safeText } from '../../src/output/safe-text.ts';
import { createScreen } from '../../src/output/screen.ts';
import { table, wrap } from '../../src/output/table.ts';

describe('safeText', () => {
  it('lets nothing through that moves a cursor, colours or reorders', () => {
    expect(safeText('a\u001b[31mred\u0007\u009b1m\u202eb\nc')).toBe(
      'a\\u{001b}[31mred\\u{0007}\\u{009b}1m\\u{202e}b\\u{000a}c',
    );
    expect(safeText('modèle-日本 😀')).toBe('modèle-日本 😀');
  });
});

describe('wrap', () => {
  it('loses no word and breaks none; only a longer word passes the width', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), fc.integer({ min: 1, max: 40 }), (words, width) => {
        const text = words.join(' ');
        const lines = wrap(text, width);
        expect(lines.join(' ').split(/ +/).filter(Boolean)).toEqual(text.split(/ +/).filter(Boolean));
        for (const line of lines) expect([...line].length <= width || !line.trim().includes(' ')).toBe(true);
      }),
    );
  });
});

describe('wrap of a long text', () => {
  // With work that grows with the square of the words, either would run into the test's time-out.
  it.each([Number.POSITIVE_INFINITY, 2_000_000])('takes 150,000 words at width %d', (width) => {
    const text = Array.from({ length: 150_000 }, (_, index) => `provider-${index},`).join(' ');
    expect(wrap(text, width).join(' ')).toBe(text);
  });
});

describe('table', () => {
  const rows = [
    ['0', 'provider-a', 'next in turn'],
    ['10', 'b', 'keeps its sessions, takes no new ones'],
  ];

  it('aligns columns and wraps nothing for a program', () => {
    expect(table(rows, { width: Number.POSITIVE_INFINITY })).toEqual([
      '  0   provider-a  next in turn',
      '  10  b           keeps its sessions, takes no new ones',
    ]);
  });

  it('wraps the last column under itself, and moves it below when it has no room', () => {
    expect(table(rows, { width: 42 })).toEqual([
      '  0   provider-a  next in turn',
      '  10  b           keeps its sessions,',
      '                  takes no new ones',
    ]);
    expect(table(rows, { width: 30 })).toEqual([
      '  0   provider-a',
      '      next in turn',
      '  10  b',
      '      keeps its sessions,',
      '      takes no new ones',
    ]);
  });

  it('takes more rows than a call takes arguments', () => {
    const many = Array.from({ length: 200_000 }, (_, row) => [String(row), 'x']);
    expect(table(many, { width: 80 }).at(-1)).toBe('  199999  x');
  });

  it('draws nothing for no rows', () => {
    expect(table([], { width: 80 })).toEqual([]);
  });
});

describe('bars', () => {
  const split = [
    { label: 'provider-a', detail: '', count: 45, share: 0.75 },
    { label: 'b', detail: '', count: 15, share: 0.25 },
  ];

  it('are as long as their shares', () => {
    expect(bars(split, 56)).toEqual([
      '  provider-a  ███████████████░░░░░  45   75.0 %',
      '  b           █████░░░░░░░░░░░░░░░  15   25.0 %',
    ]);
  });

  it('take more members than a call takes arguments', () => {
    const many = Array.from({ length: 200_000 }, () => ({ label: 'a', detail: '', count: 1, share: 0 }));
    expect(bars(many, 80)).toHaveLength(200_000);
  });

  it('fit the terminal', () => {
    for (const width of [44, 60, 80, 200]) {
      for (const line of bars(split, width)) expect(line.length).toBeLessThanOrEqual(width);
    }
  });
});

describe('createScreen', () => {
  function shown(
    terminal: boolean,
    env: NodeJS.ProcessEnv,
    more: { color?: boolean; quiet?: boolean } = {},
  ): string {
    let text = '';
    const write = (chunk: string): boolean => {
      text += chunk;
      return true;
    };
    // The three members that a screen uses of a stream.
    const stream = { isTTY: terminal, columns: 60, write } as unknown as NodeJS.WriteStream;
    const screen = createScreen({ stream, env, color: more.color ?? true, quiet: more.quiet ?? false });
    screen.line(screen.paint('red', 'x'));
    screen.tip('next');
    return text;
  }

  it('colours and suggests on a terminal only', () => {
    expect(shown(true, {})).toBe('\u001b[31mx\u001b[39m\n\u001b[2mnext\u001b[22m\n');
    expect(shown(false, {})).toBe('x\n');
  });

  it('leaves colours out with NO_COLOR, TERM=dumb and --no-color', () => {
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) expect(shown(true, env)).toBe('x\nnext\n');
    expect(shown(true, { NO_COLOR: '' })).toContain('\u001b[31m');
    expect(shown(true, {}, { color: false })).toBe('x\nnext\n');
  });

  it('is silent when told so', () => {
    expect(shown(true, {}, { quiet: true })).toBe('');
  });
});
