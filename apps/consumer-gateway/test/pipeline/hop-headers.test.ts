import { describe, expect, it } from 'vitest';
import { answerHeaders } from '../../src/pipeline/hop-headers.ts';

const echoed = [
  'content-type',
  'a/b',
  'X-Goog-Api-Key',
  'secret',
  'Set-Cookie',
  'a=1',
  'authorization',
  'secret',
];

describe('the headers of an answer', () => {
  it('lose every credential slot, in any case; cookies that are set are none', () => {
    expect(answerHeaders([...echoed], { credentials: 'strip' })).toEqual([
      'content-type',
      'a/b',
      'Set-Cookie',
      'a=1',
    ]);
  });

  it('are the very same list when there is nothing to take away', () => {
    const clean = ['content-type', 'authorization', 'x-request-id', 'cookie'];
    expect(answerHeaders(clean, { credentials: 'strip' })).toBe(clean);
  });

  it('stay whole for a cluster that is trusted with credentials', () => {
    expect(answerHeaders(echoed, { credentials: 'passthrough' })).toBe(echoed);
  });
});
