import { describe, expect, it } from 'vitest';
import { sessionKeyOf } from '../../src/request/session-key.ts';

const sources = { header: 'x-session-id', cookie: 'sid' };

describe('sessionKeyOf', () => {
  const cases: [what: string, headers: string[], key: string | undefined][] = [
    ['nothing', [], undefined],
    ['the header in any case', ['X-Session-Id', 'abc'], 'abc'],
    ['a trimmed header', ['x-session-id', '  abc '], 'abc'],
    ['the cookie', ['cookie', 'a=1; sid=abc; b=2'], 'abc'],
    ['the header before the cookie', ['cookie', 'sid=cookie', 'x-session-id', 'header'], 'header'],
    ['an empty header falls through to the cookie', ['x-session-id', ' ', 'cookie', 'sid=abc'], 'abc'],
    ['256 bytes', ['x-session-id', 'k'.repeat(256)], 'k'.repeat(256)],
    ['257 bytes count as none', ['x-session-id', 'k'.repeat(257)], undefined],
    ['an overlong header falls through', ['x-session-id', 'k'.repeat(257), 'cookie', 'sid=abc'], 'abc'],
    ['an empty cookie counts as none', ['cookie', 'sid='], undefined],
    ['cookie names are compared exactly', ['cookie', 'SID=abc; xsid=def'], undefined],
    ['a second cookie header', ['cookie', 'a=1', 'cookie', 'sid=abc'], 'abc'],
    ['a cookie value with "="', ['cookie', 'sid=a=b'], 'a=b'],
  ];
  it.each(cases)('%s', (_what, headers, key) => {
    expect(sessionKeyOf(headers, sources)).toBe(key);
  });
});
