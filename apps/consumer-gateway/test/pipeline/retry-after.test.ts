import { describe, expect, it } from 'vitest';
import { retryAfterOf, withSoonestRetryAfter } from '../../src/pipeline/retry-after.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['seconds', ['retry-after', '7'], 7000],
    ['seconds in any spelling', ['Retry-After', ' 7 '], 7000],
    ['part of a second, as some send it', ['retry-after', '0.25'], 250],
    ['no time at all', ['retry-after', '0'], 0],
    ['a date', ['retry-after', 'Sun, 01 Mar 2026 12:01:30 GMT'], 90_000],
    ['a date in an old form', ['retry-after', 'Sunday, 01-Mar-26 12:01:30 GMT'], 90_000],
    ['a date that is over', ['retry-after', 'Sun, 01 Mar 2026 11:00:00 GMT'], 0],
    ['milliseconds, which go before seconds', ['retry-after', '2', 'retry-after-ms', '1500'], 1500],
    ['nonsense beside milliseconds', ['retry-after-ms', 'soon', 'retry-after', '3'], 3000],
    ['nothing', ['content-type', 'text/plain'], undefined],
    ['an empty value', ['retry-after', ''], undefined],
    ['a negative number', ['retry-after', '-5'], undefined],
    ['a word', ['retry-after', 'soon'], undefined],
    ['a bare year, which is no date', ['retry-after', '2027-01-01'], undefined],
    ['a number without end', ['retry-after', '9'.repeat(40)], undefined],
    ['not a number', ['retry-after', '1e3'], undefined],
  ])('is %s', (_what, headers, expected) => {
    expect(retryAfterOf(headers, NOW)).toBe(expected);
  });
});

describe('a refusal after other providers were tried', () => {
  const own = ['x-request-id', 'p-1', 'Retry-After', '7', 'retry-after-ms', '7000'];

  it.each([
    [
      'asks for the shorter time of an earlier one',
      own,
      2_500,
      7_000,
      ['x-request-id', 'p-1', 'retry-after', '3'],
    ],
    ['gets a time when it has none itself', ['x-a', '1'], 3_000, undefined, ['x-a', '1', 'retry-after', '3']],
  ])('%s', (_what, headers, earlierMs, ownMs, expected) => {
    expect(withSoonestRetryAfter(headers, earlierMs, ownMs)).toEqual(expected);
  });

  it.each([
    ['nobody asked before', Number.POSITIVE_INFINITY, 7_000],
    ['nobody asked at all', Number.POSITIVE_INFINITY, undefined],
    ['its own time is the shortest', 9_000, 7_000],
  ])('stays the very same list when %s', (_what, earlierMs, ownMs) => {
    expect(withSoonestRetryAfter(own, earlierMs, ownMs)).toBe(own);
  });
});
