import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeValue } from '../../src/canonical/canonical-json.ts';
import { thoroughDigest } from '../../src/canonical/digest.ts';
import { PlainWriter } from '../../src/canonical/plain-writer.ts';
import { Shapes } from '../../src/canonical/shapes.ts';
import { overlayDigest } from '../../src/index.ts';
import { inspectTree } from '../../src/parse/text/inspect-tree.ts';

// The fast writer against its thorough twin, which canonical-json.property.test.ts holds against another library.

const name = fc.oneof(
  fc.constantFrom('a', 'b', 'a,b', 'a\0b', '\0', '', '10', '9', '__proto__', '\ufb33', '😀', '"', '\ud800'),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.double(),
    fc.constantFrom(-0, 1e21, 'ü"\\\u0001', '\udc00\ud800', true, null, undefined, 1n, new Date(0), () => 0),
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

type TryWrite = (value: unknown) => { text: string | undefined; members: number };

function fast(each: unknown): { text: string | undefined; members: number } {
  const writer = new PlainWriter();
  const text = writer.tryWrite(each);
  return { text, members: writer.members };
}

function thorough(each: unknown): string | undefined {
  try {
    return writeValue(each, []);
  } catch {
    return undefined;
  }
}

function agreesWithThorough(tryWrite: TryWrite): void {
  fc.assert(
    fc.property(value, (each) => {
      const { text, members } = tryWrite(each);
      expect(text).toBe(thorough(each));
      if (text !== undefined) expect(members).toBe(inspectTree(each).members);
    }),
    { numRuns: 3000 },
  );
}

describe('the fast writer', () => {
  it('writes what the thorough one writes, gives up where that refuses, and counts the members', () => {
    agreesWithThorough(fast);
  });

  it.each<[string, TryWrite]>([
    ['a writer that knows no lone surrogates', (each) => ({ ...fast(each), text: JSON.stringify(each) })],
    [
      'a writer that counts only the outermost members',
      (each) => ({ ...fast(each), members: topMembers(each) }),
    ],
  ])('the property catches %s', (_what, tryWrite) => {
    expectCaught(() => agreesWithThorough(tryWrite));
  });

  it('leaves objects without a prototype, cycles and great depth to the thorough one', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const deep: unknown = JSON.parse('['.repeat(1010) + ']'.repeat(1010));
    for (const odd of [Object.create(null), cycle, deep]) expect(fast(odd).text).toBeUndefined();
    expect(thorough(Object.create(null))).toBe('{}');
    expect(thorough(deep)).toHaveLength(2020);
  });

  it('passes on what a getter throws', () => {
    const failing = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new RangeError('mine');
      },
    });
    expect(() => fast(failing)).toThrow(RangeError);
  });

  it('hashes what the thorough one hashes', () => {
    const candidates = fc.array(value, { maxLength: 6 }).filter((each) => thorough(each) !== undefined);
    fc.assert(
      fc.property(candidates, fc.boolean(), (each, many) => {
        const overlay = { local_site: 'ü', candidates: many ? Array<unknown>(2000).fill(each) : each };
        expect(overlayDigest(overlay)).toBe(thoroughDigest(overlay));
      }),
      { numRuns: 50 },
    );
  });
});

function topMembers(each: unknown): number {
  return typeof each === 'object' && each !== null && !Array.isArray(each) ? Object.keys(each).length : 0;
}

describe('remembered shapes', () => {
  it('stay right when more are met than are remembered', () => {
    const shapes = new Shapes(JSON.stringify);
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 50; index++) {
        const { sorted, prefixes } = shapes.of([`b${index}`, 'a']);
        expect([sorted, prefixes]).toEqual([
          ['a', `b${index}`],
          ['{"a":', `,"b${index}":`],
        ]);
      }
    }
  });

  it('tell lists apart that join to the same text', () => {
    const shapes = new Shapes(JSON.stringify);
    expect(shapes.of(['a\0b']).sorted).toEqual(['a\0b']);
    expect(shapes.of(['a', 'b']).sorted).toEqual(['a', 'b']);
  });
});
