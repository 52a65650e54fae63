import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeDocument } from '../../src/judge/judge-document.ts';
import { packOverlay, unpackOverlay } from '../../src/judge/packed-overlay.ts';
import { documents, routingCandidates } from '../support/documents.ts';

describe('a packed overlay', () => {
  it('is, once unpacked, what it was, for all that routing reads', () => {
    let valid = 0;
    fc.assert(
      fc.property(documents, (bytes) => {
        const judged = judgeDocument({ bytes, parse: {}, seen: [] });
        if (judged.kind !== 'valid') return;
        valid++;
        const { candidates: _, ...head } = judged.overlay;
        const unpacked = unpackOverlay(structuredClone(packOverlay(judged.overlay)));
        expect({ ...unpacked, candidates: [] }).toEqual({ ...head, candidates: [] });
        expect(routingCandidates(unpacked)).toStrictEqual(routingCandidates(judged.overlay));
        for (const [row, { kind, name, cluster }] of judged.overlay.candidates.entries())
          expect(unpacked.candidates.entryAt?.(row)).toStrictEqual({ kind, name, cluster });
        expect(unpacked.candidates.at(judged.overlay.candidates.length)).toBeUndefined();
        expect(unpacked.candidates.entryAt?.(judged.overlay.candidates.length)).toBeUndefined();
      }),
    );
    expect(valid).toBeGreaterThan(10);
  });
});
