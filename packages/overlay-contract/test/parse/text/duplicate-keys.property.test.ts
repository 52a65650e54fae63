import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDuplicateKeys } from '../../../src/parse/text/find-duplicate-keys.ts';
import { inspectTree } from '../../../src/parse/text/inspect-tree.ts';
import { scanJson } from '../../../src/parse/text/scan-json.ts';

// A document is a list of written members, so that repetitions can be written; the truth is counted while writing.

interface Written {
  readonly text: string;
  readonly duplicates: number;
}

const key = fc.constantFrom('a', 'b', '__proto__', '1', '', ':', '{"', 'ü', 'toString');
const spelling = fc.boolean();

const { value: written } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc
      .constantFrom('1', 'null', '":{[,]}"', '"\\"\\\\"', 'true', '[]', '{}')
      .map((text) => ({ text, duplicates: 0 })),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => ({
      text: `[${items.map((item) => item.text).join(' , ')}]`,
      duplicates: items.reduce((sum, item) => sum + item.duplicates, 0),
    })),
    fc.array(fc.tuple(key, spelling, tie('value')), { maxLength: 4 }).map((members) => ({
      text: `{${members.map(([name, escaped, item]) => `${spell(name, escaped)}\n: ${item.text}`).join(',')}}`,
      duplicates:
        members.reduce((sum, [, , item]) => sum + item.duplicates, 0) +
        members.length -
        new Set(members.map(([name]) => name)).size,
    })),
  ),
}));

function spell(name: string, escaped: boolean): string {
  if (!escaped) return JSON.stringify(name);
  return `"${Array.from(name, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
}

function countsDiffer(text: string): boolean {
  return scanJson(Buffer.from(text), 1000).colons !== inspectTree(JSON.parse(text)).members;
}

/** What a reader notices that trusts JSON.parse, where the last member wins in silence. */
function lastWins(text: string): boolean {
  JSON.parse(text);
  return false;
}

/** What a reader notices that compares the names as they are spelt. */
function spelledAlike(text: string): boolean {
  return findDuplicateKeys(text.replaceAll('\\u', '\\\\u')).length > 0;
}

function noticesExactlyDuplicates(notices: (text: string) => boolean): void {
  fc.assert(
    fc.property(written, ({ text, duplicates }) => notices(text) === duplicates > 0),
    { numRuns: 3000 },
  );
}

describe('repeated members', () => {
  it('show in the counts, exactly when there are any', () => {
    noticesExactlyDuplicates(countsDiffer);
  });

  it('are all named by the slow scanner', () => {
    fc.assert(
      fc.property(written, ({ text, duplicates }) => findDuplicateKeys(text).length === duplicates),
      {
        numRuns: 3000,
      },
    );
  });

  it.each([
    ['trusts the last member', lastWins],
    ['compares spellings', spelledAlike],
  ])('the property catches a reader that %s', (_what, notices) => {
    expectCaught(() => noticesExactlyDuplicates(notices));
  });

  it('are found beside a string of two million escapes without running out of stack', () => {
    const text = `{"long":"${'\\n'.repeat(1_000_000)}","a":1,"a":2}`;
    expect(findDuplicateKeys(text).map(({ path }) => path)).toEqual([['a']]);
  });
});
