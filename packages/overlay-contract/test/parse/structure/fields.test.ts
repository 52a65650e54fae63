import { describe, expect, it } from 'vitest';
import { isIdentifier, isRfc3339 } from '../../../src/parse/structure/fields.ts';

describe('isIdentifier', () => {
  it.each(['a', ' a ', 'x'.repeat(256), '€'.repeat(85), '\u0000'])('accepts %j', (text) => {
    expect(isIdentifier(text)).toBe(true);
  });

  it.each(['', ' ', '\u0085\u3000\u2028', 'x'.repeat(257), '€'.repeat(86), '😀'.repeat(65)])(
    'refuses %j',
    (text) => {
      expect(isIdentifier(text)).toBe(false);
    },
  );
});

describe('isRfc3339', () => {
  it.each([
    '2026-01-01T00:00:00Z',
    '2000-02-29 23:59:59.5+23:59',
    '2026-06-30T23:59:60Z',
    '0000-01-01t00:00:00z',
  ])('accepts %s', (text) => {
    expect(isRfc3339(text)).toBe(true);
  });

  it.each([
    '',
    '2026-1-1T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-10T00:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00Z\n',
    '٢٠٢٦-01-01T00:00:00Z',
  ])('refuses %j', (text) => {
    expect(isRfc3339(text)).toBe(false);
  });
});
