import { describe, expect, it } from 'vitest';
import { withoutSessionCookie, withoutSetSessionCookie } from '../../src/pipeline/session-cookie.ts';

const cookie = { name: 'sticky', maxAgeSeconds: 60 };

describe('the session cookie on its way to a provider', () => {
  it.each([
    ['alone', 'sticky=1.a.b', undefined],
    ['first', 'sticky=1.a.b; theme=dark', 'theme=dark'],
    ['last', 'theme=dark; sticky=1.a.b', 'theme=dark'],
    ['between others', 'a=1; sticky=x; b=2', 'a=1; b=2'],
    ['twice', 'sticky=x; a=1; sticky=y', 'a=1'],
    ['not there', 'a=1; unsticky=2', 'a=1; unsticky=2'],
  ])('is taken out where it is %s, and nothing else', (_where, sent, left) => {
    const headers = ['accept', '*/*', 'Cookie', sent, 'x-own', 'sticky=kept'];
    const rest = left === undefined ? [] : ['Cookie', left];
    expect(withoutSessionCookie(headers, cookie)).toEqual(['accept', '*/*', ...rest, 'x-own', 'sticky=kept']);
  });

  it('is any cookie in other modes: the headers go on as they came', () => {
    const headers = ['cookie', 'sticky=1'];
    expect(withoutSessionCookie(headers, undefined)).toBe(headers);
  });
});

describe('a session cookie that a provider sets', () => {
  it('goes no further: by it, a provider could draw all sessions of its clients to itself', () => {
    const headers = [
      'Set-Cookie',
      'a=1',
      'set-cookie',
      'sticky=mine; Path=/',
      'Set-Cookie',
      ' sticky =x',
      'x',
      'y',
    ];
    expect(withoutSetSessionCookie(headers, 'sticky')).toEqual(['Set-Cookie', 'a=1', 'x', 'y']);
  });

  it.each([['stickyer=1'], ['a=sticky=1'], ['STICKY=1']])('is not %s', (value) => {
    const headers = ['set-cookie', value];
    expect(withoutSetSessionCookie(headers, 'sticky')).toBe(headers);
    expect(withoutSetSessionCookie(headers, undefined)).toBe(headers);
  });
});
