import { type OverlayIssue, parseOverlay } from '@switchyard/overlay-contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateIssues, locatePath } from '../../src/overlay/locate.ts';
import { scanJson } from '../../src/overlay/scan-json.ts';
import { sampleText } from '../support/sample.ts';

const issueAt = (path: string): OverlayIssue => ({ code: 'invalid_field', path, message: '' });

/** The text from a position to the end of its line. */
function restOfLine(text: string, { line, column }: { line: number; column: number }): string {
  return text.split('\n')[line - 1]?.slice(column - 1) ?? '';
}

function judged(text: string | Buffer): { positions: string[]; codes: string[] } {
  const bytes = Buffer.from(text);
  const result = parseOverlay(bytes);
  const located = locateIssues(bytes, result.ok ? [] : result.issues);
  return {
    positions: located.map(({ line, column }) => `${line}:${column}`),
    codes: located.map(({ code }) => code),
  };
}

describe('locateIssues', () => {
  it('finds a marked value anywhere in a document, however it is written', () => {
    const key = fc.oneof(
      fc.constantFrom('a', 'name', 'x-1', '_'),
      fc.string({ minLength: 1, maxLength: 5 }).filter((text) => text !== 'marked'),
    );
    const segment = fc.oneof(key, fc.nat(3));
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), fc.constantFrom(0, 1, 2, '\t'), (segments, indent) => {
        const text = JSON.stringify(nested(segments), null, indent);
        const [found] = locateIssues(Buffer.from(text), [issueAt(pathOf(segments))]);
        expect(found && restOfLine(text, found).startsWith('"marked"')).toBe(true);
      }),
    );
  });

  it('points at the value, by line and column as editors count', () => {
    const text = sampleText().replace('"provider-b"', '7');
    const issues = [issueAt('overlay.candidates[1].cluster'), issueAt('scope.gateway')];
    const [cluster, gateway] = locateIssues(Buffer.from(text), issues);
    expect(cluster && restOfLine(text, cluster)).toBe('7,');
    expect(gateway && restOfLine(text, gateway)).toBe('"consumer",');
  });

  it('points at the object that lacks a member', () => {
    const text = '{\n  "overlay": { "candidates": [] }\n}';
    expect(locateIssues(Buffer.from(text), [issueAt('overlay.network')])).toMatchObject([
      { line: 2, column: 14 },
    ]);
  });

  it('points at the repetition of a member, each of several', () => {
    expect(judged('{\n "a": 1,\n "b": {"c": 1,\n  "c": 2, "c": 3},\n "a": 4\n}')).toEqual({
      codes: ['duplicate_key', 'duplicate_key', 'duplicate_key'],
      positions: ['4:3', '4:11', '5:2'],
    });
  });

  it('points at the first character that is no JSON', () => {
    expect(judged('{\n  "a": 1,\n  }')).toEqual({ codes: ['malformed_json'], positions: ['3:3'] });
    expect(judged('{\n  "a": [1,').positions).toEqual(['2:11']);
    expect(judged('').positions).toEqual(['1:1']);
  });

  it('points at the bracket past the depth limit', () => {
    expect(judged(`{"a":\n${'['.repeat(40)}`)).toEqual({ codes: ['too_deep'], positions: ['2:32'] });
  });

  it('points at the first byte that is not UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('{\n"é": 1,\n"a": "b'),
      Buffer.from([0xff]),
      Buffer.from('"\n}'),
    ]);
    expect(judged(bytes)).toEqual({ codes: ['invalid_utf8'], positions: ['3:8'] });
  });

  it('knows a long name by its beginning', () => {
    const name = 'n'.repeat(100);
    const { root } = scanJson(JSON.stringify({ other: 1, [name]: 'here' }));
    const path = `[${JSON.stringify(name.slice(0, 64))} (cut)]`;
    expect(root && locatePath(root, path).start).toBe(114);
  });

  it('counts columns in UTF-16 code units and keeps CRLF out of the way', () => {
    const text = '{\r\n"\u{1F600}": 1, "a": 2\r\n}';
    expect(locateIssues(Buffer.from(text), [issueAt('a')])).toMatchObject([{ line: 2, column: 15 }]);
  });

  it('locates a thousand issues of a large document in one pass', () => {
    const items = Array.from({ length: 1000 }, (_, index) => ({ index, filler: 'x'.repeat(1000) }));
    const bytes = Buffer.from(JSON.stringify(items, null, 1));
    const issues = items.map(({ index }) => issueAt(`[${index}].filler`));
    const located = locateIssues(bytes, issues);
    expect(located.map(({ line }) => line)).toEqual(items.map(({ index }) => 4 + 4 * index));
  });
});

/** A document that has "marked" at the path and something else beside it on every level. */
function nested([first, ...rest]: readonly (string | number)[]): unknown {
  if (first === undefined) return 'marked';
  if (typeof first === 'number')
    return [...Array.from({ length: first }, () => ({ a: [1] })), nested(rest), 'after'];
  return { before: [{ a: 'x' }], [first]: nested(rest) };
}

/** As the contract writes paths. */
function pathOf(segments: readonly (string | number)[]): string {
  return segments.reduce<string>((path, segment) => {
    if (typeof segment === 'number') return `${path}[${segment}]`;
    if (!/^[A-Za-z_][\w-]*$/.test(segment)) return `${path}[${JSON.stringify(segment)}]`;
    return path === '' ? segment : `${path}.${segment}`;
  }, '');
}
