import { expect, it } from 'vitest';
import { nearestCassette } from '../../src/match/nearest.ts';
import { DEFAULT_IGNORE } from '../../src/match/request-key.ts';
import { cassette } from '../cassettes.ts';

const ignore = new Set(DEFAULT_IGNORE);
const ask = (content: string, more: object = {}) => ({
  model: 'm',
  messages: [{ role: 'user', content }],
  ...more,
});
const cassettes = [
  cassette({ id: 'count', body: ask('Count to three.') }),
  cassette({ id: 'site', body: ask('Which site answers?') }),
  cassette({ id: 'site-stream', body: ask('Which site answers?', { stream: true }) }),
];
const nearestId = (body: unknown): string | undefined =>
  nearestCassette(cassettes, body, ignore)?.cassette.id;

it('names the cassette with the fewest and smallest differences', () => {
  expect(nearestId(ask('Which site answers'))).toBe('site');
  expect(nearestId(ask('Which site answered?', { stream: true }))).toBe('site-stream');
  expect(nearestId(ask('Count to four.'))).toBe('count');
  expect(nearestId(ask('Which site answers?', { model: 'n' }))).toBe('site');
  expect(nearestId(ask('Which site answers?', { stream: true, seed: 1 }))).toBe('site-stream');
});

it('lets the earlier one win a tie, and finds none among none', () => {
  expect(nearestId({})).toBe('count');
  expect(nearestCassette([], {}, ignore)).toBeUndefined();
});
