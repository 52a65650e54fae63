import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/text/nearest.ts';

const known = ['endpoint', 'models', 'siteSelector'];

describe('nearest', () => {
  it.each([
    ['endpont', 'endpoint'],
    ['Models', 'models'],
    ['siteselectors', 'siteSelector'],
    ['', undefined],
    ['completely-different', undefined],
  ])('%j -> %j', (word, expected) => {
    expect(nearest(word, known)).toBe(expected);
  });

  it('makes a sentence, or none', () => {
    expect(didYouMean('modls', known)).toBe(' Did you mean "models"?');
    expect(didYouMean('zzzzzzz', known)).toBe('');
  });
});
