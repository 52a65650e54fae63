import { OVERLAY_ISSUE_CODES } from '@switchyard/overlay-contract';
import { describe, expect, it } from 'vitest';
import { hintFor } from '../../src/overlay/hints.ts';
import { loadOverlay } from '../../src/overlay/load-overlay.ts';
import { nearest } from '../../src/overlay/nearest.ts';
import { sampleText } from '../support/sample.ts';

describe('hintFor', () => {
  it.each(OVERLAY_ISSUE_CODES)('%s has a hint that says what to do', (code) => {
    expect(hintFor({ code, path: '', message: '' })).toMatch(/^[A-Z`].{10,}\.$/);
  });

  it('names the word that was meant', () => {
    const misspelt = sampleText()
      .replace('"round_robin"', '"round-robbin"')
      .replace('"inference_model"', '"inference_modle"');
    const result = loadOverlay(Buffer.from(misspelt));
    const hints = result.ok ? [] : result.issues.map(({ path, hint }) => `${path} ${hint}`);
    expect(hints[0]).toMatch(/^overlay\.candidates\[0\]\.kind Did you mean "inference_model"\?/);
  });

  it('guesses nothing for a value that resembles no known word, or is none', () => {
    const issue = { code: 'invalid_selection_policy', path: 'selection_policy', message: '' } as const;
    expect(hintFor(issue, 'fastest')).not.toContain('Did you mean');
    expect(hintFor(issue, { mode: 'roundRobbin' })).not.toContain('Did you mean');
  });
});

describe('nearest', () => {
  it.each([
    ['validat', 'validate'],
    ['Simulate', 'simulate'],
    ['explian', 'explain'],
    ['zzzzzz', undefined],
    ['validate', undefined],
  ])('%s is meant to be %s', (word, meant) => {
    expect(nearest(word, ['validate', 'explain', 'simulate'])).toBe(meant);
  });
});
