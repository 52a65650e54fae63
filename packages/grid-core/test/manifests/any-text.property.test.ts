import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseManifests, renderOverlays } from '../../src/index.ts';
import { now, producer, threeProviders, toFile } from '../support/manifests.ts';

const good = toFile('good.yaml', threeProviders({ selectionPolicy: { mode: 'roundRobin' } }));

/** A valid file with one piece of it replaced, which is how files break in practice. */
const damaged = fc
  .record({
    start: fc.nat(good.text.length),
    length: fc.nat(40),
    piece: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        '---\n',
        '[',
        '{',
        '"',
        "'",
        ': ',
        '- ',
        '&a ',
        '*a',
        '!t ',
        '|\n',
        '\t',
        '%',
        '#',
        '__proto__',
      ),
    ),
  })
  .map(({ start, length, piece }) => good.text.slice(0, start) + piece + good.text.slice(start + length));

describe('parseManifests', () => {
  it('never throws, and gives issues with a place, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string({ unit: 'binary' })), (text) => {
        const parsed = parseManifests([{ path: 'any.yaml', text }]);
        for (const issue of parsed.issues) {
          expect(issue.file).toBe('any.yaml');
          expect(issue.line).toBeGreaterThanOrEqual(1);
          expect(issue.message).not.toBe('');
        }
        renderOverlays({ ...parsed, producer, now });
      }),
      { numRuns: 300 },
    );
  });

  it.each([1000, 20_000])('nesting %i deep is an issue of its network, not a crash', (depth) => {
    const text = `kind: GridSite\nspec:\n  gridNetworkRef: demo\n  a: ${'['.repeat(depth)}${']'.repeat(depth)}\n`;
    const { issues } = parseManifests([{ path: 'deep.yaml', text }]);
    expect(issues.length).toBeGreaterThan(0);
    expect(issues.every(({ network }) => network === 'demo')).toBe(true);
  });
});
