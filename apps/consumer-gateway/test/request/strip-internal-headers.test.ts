import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripInternalHeaders } from '../../src/request/strip-internal-headers.ts';

describe('stripInternalHeaders', () => {
  it('removes the three families in any case and keeps the rest in order', () => {
    const raw = [
      'A',
      '1',
      'X-AI-Routing-Candidate',
      'x',
      'b',
      '2',
      'x-ai-provider-attribution',
      'y',
      'X-Switchyard-Group',
      'z',
      'x-ai',
      '3',
    ];
    expect(stripInternalHeaders(raw)).toEqual(['A', '1', 'b', '2', 'x-ai', '3']);
  });

  it('gives the same list back when there is nothing to remove', () => {
    const raw = ['x-api-key', 'k', 'x-switchyard', 'not ours'];
    expect(stripInternalHeaders(raw)).toBe(raw);
  });

  it('agrees with the plain definition for any headers', () => {
    const name = fc.oneof(
      fc.constantFrom('X-AI-ROUTING-x', 'x-ai-provider-y', 'x-switchyard-z', 'x-ai-other', 'X-', 'x', ''),
      fc.string({ maxLength: 20 }),
    );
    const property = fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
      const kept = pairs.filter(([n]) => !/^x-(ai-routing|ai-provider|switchyard)-/i.test(n));
      expect(stripInternalHeaders(pairs.flat())).toEqual(kept.flat());
    });
    fc.assert(property);
  });
});
