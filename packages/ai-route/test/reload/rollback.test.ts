import type { OverlayProvenance } from '@switchyard/overlay-contract';
import { describe, expect, it } from 'vitest';
import { ServedGenerations } from '../../src/reload/rollback.ts';
import { at, overlayOf } from '../support/overlays.ts';

function of(sourceUid: string, generation: number): OverlayProvenance {
  const { provenance } = overlayOf({ candidates: [at('a')], sourceUid, generation });
  if (provenance === undefined) throw new Error('no provenance');
  return provenance;
}

describe('the generations served', () => {
  it('are compared within their source, by the one served last', () => {
    const generations = new ServedGenerations(of('a', 7));
    expect(generations.rollbackTo(of('a', 7))).toBeUndefined();
    expect(generations.rollbackTo(of('b', 1))).toBeUndefined();
    expect(generations.rollbackTo(of('a', 6))).toEqual({ sourceGeneration: 6, previousGeneration: 7 });
    generations.served(of('a', 5));
    expect(generations.rollbackTo(of('a', 6))).toBeUndefined();
  });

  it('stay known while legacy overlays, which have none, come between', () => {
    const generations = new ServedGenerations(of('a', 7));
    generations.served(undefined);
    expect(generations.rollbackTo(undefined)).toBeUndefined();
    expect(generations.rollbackTo(of('a', 6))).toBeDefined();
  });

  it('are remembered of the sixteen sources served last', () => {
    const generations = new ServedGenerations();
    for (let i = 0; i < 16; i++) generations.served(of(`source-${i}`, 9));
    generations.served(of('source-0', 9));
    generations.served(of('one more', 9));
    const forgotten = Array.from({ length: 16 }, (_, i) => i).filter(
      (i) => generations.rollbackTo(of(`source-${i}`, 1)) === undefined,
    );
    expect(forgotten).toEqual([1]);
  });
});
