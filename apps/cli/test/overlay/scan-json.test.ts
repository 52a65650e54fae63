import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonNode, scanJson } from '../../src/overlay/scan-json.ts';

function accepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON texts with a little damage: some still are JSON. */
const damagedText = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', ',', '"', '\\', '}', ']', '0', ' ', '\u0001', 'e', '-', '.'),
  )
  .map(([text, at, gone, put]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + put + text.slice(start + gone);
  });

describe('scanJson', () => {
  it('accepts what JSON.parse accepts, and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), damagedText, fc.string()), (text) => {
        expect(scanJson(text).root !== undefined).toBe(accepts(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('stops where no JSON text goes on: what stands before does, what stands there does not', () => {
    fc.assert(
      fc.property(damagedText, (text) => {
        const { stoppedAt } = scanJson(text);
        if (stoppedAt === undefined) return;
        const before = scanJson(text.slice(0, stoppedAt)).stoppedAt;
        // The part before it is a text that merely ends too early, or a whole one that something follows.
        expect(before === undefined || before === stoppedAt).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('places every value: its slice parses to it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { root } = scanJson(text);
        if (root === undefined) throw new Error('not accepted');
        expectPlaced(text, root, JSON.parse(text));
      }),
    );
  });

  it.each([
    ['{"a": 1,}', 8],
    ['[1, 2', 5],
    ['{"a" 1}', 5],
    ['{a: 1}', 1],
    ['[01]', 2],
    ['"a\nb"', 2],
    ['["\\x"]', 2],
    ['{} x', 3],
    ['', 0],
    ['\uFEFF{}', 0],
    ['nul', 0],
  ])('%j is no JSON from %i on', (text, stoppedAt) => {
    expect(scanJson(text)).toEqual({ root: undefined, stoppedAt });
  });

  it('stops at the bracket that nests too deep, and survives a million of them', () => {
    expect(scanJson('[[[1]]]', 2).stoppedAt).toBe(2);
    expect(scanJson('['.repeat(1_000_000)).stoppedAt).toBe(1000);
  });

  it('keeps repeated members and unescapes names', () => {
    const { root } = scanJson('{"a": 1, "\\u0061": 2}');
    expect(root?.members?.map(({ name, start }) => [name, start])).toEqual([
      ['a', 1],
      ['a', 9],
    ]);
  });
});

function expectPlaced(text: string, node: JsonNode, value: unknown): void {
  expect(JSON.parse(text.slice(node.start, node.end))).toEqual(value);
  for (const [index, item] of (node.items ?? []).entries()) {
    expectPlaced(text, item, (value as unknown[])[index]);
  }
  for (const { name, node: member } of node.members ?? []) {
    expectPlaced(text, member, (value as Record<string, unknown>)[name]);
  }
}
