import { expectCaught } from '@switchyard/test-kit';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/index.ts';

type Serialiser = (value: unknown) => string;

/** Names that sort differently by code point, by locale and as integers. */
const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom(
    '😀',
    '\ufb33',
    '\u20ac',
    '10',
    '9',
    '__proto__',
    'toJSON',
    'constructor',
    'é',
    'e',
    'Z',
    'a',
    '',
  ),
);

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(-0, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, 2 ** 53),
);

const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a/b', 'é', '😀\u2028', '\u007f\u0000'),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

function agreesWithCanonicalize(serialise: Serialiser): void {
  fc.assert(
    fc.property(json, (value) => serialise(value) === canonicalize(value)),
    { numRuns: 2000 },
  );
}

/** A serialiser that is right but for the order of names. */
function sortedBy(compare: (a: string, b: string) => number): Serialiser {
  return function serialise(value): string {
    if (Array.isArray(value)) return `[${value.map(serialise).join(',')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const members = Object.entries(value).toSorted(([a], [b]) => compare(a, b));
    return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${serialise(each)}`).join(',')}}`;
  };
}

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

describe('canonicalJson', () => {
  it('agrees with an independent implementation on every JSON value', () => {
    agreesWithCanonicalize(canonicalJson);
  });

  it('agrees with it on what to refuse', () => {
    const broken = fc.oneof(
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      fc.constantFrom('\ud800', 'x\udc00y', '\udc00\ud800'),
    );
    fc.assert(
      fc.property(broken, json, (value, rest) => {
        for (const holder of [value, [rest, value], { rest, value }]) {
          expect(() => canonicalJson(holder)).toThrow();
          expect(() => canonicalize(holder)).toThrow();
        }
      }),
    );
  });

  it('has one text per value: parsing and serialising again changes nothing', () => {
    fc.assert(
      fc.property(json, (value) => canonicalJson(JSON.parse(canonicalJson(value))) === canonicalJson(value)),
    );
  });

  it.each([
    ['insertion order', JSON.stringify as Serialiser],
    ['code point order', sortedBy(byCodePoint)],
    ['locale order', sortedBy((a, b) => a.localeCompare(b))],
    ['numeric order', sortedBy((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1))],
    ['numbers as source text', (value: unknown) => (Object.is(value, -0) ? '-0' : canonicalJson(value))],
    ['escaped solidus', (value: unknown) => canonicalJson(value).replaceAll('/', '\\/')],
    [
      'ASCII only',
      (value: unknown) =>
        canonicalJson(value).replace(
          /[\u0080-\uffff]/g,
          (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
    ],
  ])('the comparison catches %s', (_what, serialise) => {
    expectCaught(() => agreesWithCanonicalize(serialise));
  });
});
