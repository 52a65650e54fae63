import { expect, it } from 'vitest';
import { jsonPath } from '../../src/json/json-path.ts';

it.each([
  [[], ''],
  [['messages', 0, 'content'], 'messages[0].content'],
  [['a b', 'c'], '["a b"].c'],
  [['response', 'headers', 'set-cookie'], 'response.headers.set-cookie'],
  [[2, '0'], '[2]["0"]'],
])('spells %j as %s', (segments, path) => {
  expect(jsonPath(segments)).toBe(path);
});
