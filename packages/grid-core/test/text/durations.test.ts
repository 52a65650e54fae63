import { describe, expect, it } from 'vitest';
import { GridCoreError, parseDurationMs } from '../../src/index.ts';

describe('parseDurationMs', () => {
  it.each([
    ['2s', 2000],
    ['500ms', 500],
    ['1ms', 1],
    ['3600s', 3_600_000],
  ])('reads %s', (text, expected) => {
    expect(parseDurationMs(text)).toBe(expected);
  });

  it.each(['', '2', 's', '0s', '02s', '1.5s', '2m', ' 2s', '2s ', '-1s', '2S', '1e3ms', '٢s'])(
    'refuses %j',
    (text) => {
      expect(() => parseDurationMs(text)).toThrow(GridCoreError);
    },
  );

  it('says what was found and what is expected', () => {
    expect(() => parseDurationMs('2 minutes')).toThrow(/"2 minutes".*2s or 500ms/);
  });
});
