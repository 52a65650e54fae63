import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Place, readPlace, writePlace } from '../../page/model/place.ts';

const place: fc.Arbitrary<Place> = fc.record({
  request: fc.option(fc.integer({ min: 1, max: 999_999_999 })),
  provider: fc.option(fc.string({ minLength: 1 })),
});

/** Whether every place is found again by its own link. */
function survives(write: (place: Place) => string): void {
  fc.assert(
    fc.property(place, (given) => {
      expect(readPlace(write(given))).toEqual(given);
    }),
  );
}

describe('deep links', () => {
  it('lead to what they were made of', () => survives(writePlace));

  it('a writer that does not escape is caught', () => {
    const unescaped = ({ request, provider }: Place): string =>
      `#${request === null ? '' : `request=${request}`}${provider === null ? '' : `&provider=${provider}`}`;
    expectCaught(() => survives(unescaped));
  });

  it.each(['', '#', '#request=0', '#request=-1', '#request=1e3', '#request=x', '#provider='])(
    '%j names nothing',
    (hash) => {
      expect(readPlace(hash)).toEqual({ request: null, provider: null });
    },
  );
});
