import { describe, expect, it } from 'vitest';
import { CassetteIndex } from '../../src/match/cassette-index.ts';
import { DEFAULT_IGNORE } from '../../src/match/request-key.ts';
import { cassette } from '../cassettes.ts';

const path = '/v1/chat/completions';
const ignore = new Set(DEFAULT_IGNORE);
const ask = (body: unknown, method = 'POST') => ({ method, path, body });

describe('CassetteIndex', () => {
  const hello = cassette({ id: 'hello', body: { model: 'm', n: 1, user: 'recorded' } });

  it('compares bodies as values: key order and ignored members do not count', () => {
    const index = new CassetteIndex([hello], ignore);
    const other: unknown = JSON.parse(
      '{ "n": 1.0, "metadata": {"a": 1}, "user": "live", "stream_options": null, "model": "\\u006d" }',
    );
    expect(index.take(ask(other))?.id).toBe('hello');
    expect(index.take(ask({ model: 'm', n: 2 }))).toBeUndefined();
    expect(index.take(ask({ model: 'm', n: 1, in: { user: 'x' } }))).toBeUndefined();
  });

  it('takes its ignore list from the caller', () => {
    const index = new CassetteIndex([hello], new Set(['n']));
    expect(index.take(ask({ model: 'm', n: 99, user: 'recorded' }))?.id).toBe('hello');
    expect(index.take(ask({ model: 'm', n: 1 }))).toBeUndefined();
  });

  it('matches method and path exactly', () => {
    const index = new CassetteIndex([hello], ignore);
    expect(index.take(ask({ model: 'm', n: 1 }, 'PUT'))).toBeUndefined();
    expect(index.take({ method: 'POST', path: `${path}/`, body: { model: 'm', n: 1 } })).toBeUndefined();
    expect(index.methodsOn(path)).toEqual(['POST']);
    expect(index.methodsOn('/completions')).toEqual([]);
    expect([...index.paths]).toEqual([path]);
  });

  it('serves duplicates in order, then repeats the last', () => {
    const body = { model: 'm', messages: ['again'] };
    const takes = ['a', 'b', 'c'].map((id) => cassette({ id, body }));
    const index = new CassetteIndex([...takes, hello], ignore);
    const served = Array.from({ length: 6 }, () => index.take(ask(body))?.id);
    expect(served).toEqual(['a', 'b', 'c', 'c', 'c', 'c']);
    expect(index.take(ask({ model: 'm', n: 1 }))?.id).toBe('hello');
  });

  it('tells an empty body from an empty object', () => {
    const index = new CassetteIndex([cassette({ id: 'none', body: null })], ignore);
    expect(index.take(ask(null))?.id).toBe('none');
    expect(index.take(ask({}))).toBeUndefined();
  });
});
