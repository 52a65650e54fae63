import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ScanResult, scanTopLevelString } from '../../src/index.ts';

/** Raise with SCAN_RUNS=300000 for a long hunt. */
const RUNS = Number(process.env['SCAN_RUNS'] ?? 5000);

type Scanner = (body: Buffer, key: string) => ScanResult;

/** What the scanner promises, by JSON.parse; `undefined` when the text is not a JSON object. */
function byParsing(text: string, key: string): ScanResult | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (!Object.hasOwn(value, key)) return { kind: 'missing' };
  const found = (value as Record<string, unknown>)[key];
  if (typeof found === 'string') return { kind: 'string', value: found };
  if (found === null) return { kind: 'not_string', found: 'null' };
  if (Array.isArray(found)) return { kind: 'not_string', found: 'array' };
  return { kind: 'not_string', found: typeof found as 'number' | 'boolean' | 'object' };
}

const KEY = 'model';
const space = fc.constantFrom('', '', ' ', '\n', '\t\r\n ');
const trickyString = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', 'model', 'é', '🙂', '\u0000'),
    maxLength: 60,
  }),
);
/** A JSON string in one of its spellings: as JSON.stringify writes it, or with every character escaped. */
const stringText = (text: string, escapeAll: boolean): string =>
  escapeAll
    ? `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`
    : JSON.stringify(text);
const key = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: fc.constant(KEY) }, { weight: 3, arbitrary: trickyString }),
    fc.boolean(),
  )
  .map(([text, escapeAll]) => stringText(text, escapeAll));
const value = fc.oneof(
  fc.tuple(trickyString, fc.boolean()).map(([text, escapeAll]) => stringText(text, escapeAll)),
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(
    '0',
    '-0',
    '1e5',
    '0.10',
    'true',
    'false',
    'null',
    '[]',
    '{}',
    '[{"model":"x"}]',
    '{"model":"x"}',
  ),
);
const member = fc
  .tuple(space, key, space, value, space)
  .map(([a, k, b, v, c]) => `${a}${k}${b}:${c}${v}${a}`);
const objectText = fc
  .tuple(space, fc.array(member, { maxLength: 6 }), space)
  .map(([before, members, after]) => `${before}{${members.join(',')}}${after}`);
/** An object with a few bytes removed, doubled or replaced. */
const damaged = fc
  .tuple(
    objectText,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '1', ' ')), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([text, edits]) =>
    edits.reduce((edited, [at, put]) => splice(edited, at % (edited.length + 1), put), text),
  );

function splice(text: string, at: number, put: string): string {
  return text.slice(0, at) + put + text.slice(at + 1);
}

/** Valid: the same answer. Invalid: any answer but a crash; and never "malformed" for what JSON.parse takes. */
function agrees(scan: Scanner, text: string): void {
  const body = Buffer.from(text);
  const expected = byParsing(body.toString(), KEY);
  const found = scan(body, KEY);
  if (expected !== undefined) expect(found).toEqual(expected);
  else if (found.kind === 'malformed') expect(found.offset).toBeLessThanOrEqual(body.length);
}

describe('property: the scanner against JSON.parse', () => {
  const settings = { numRuns: RUNS };

  it('valid objects: the same answer', () => {
    fc.assert(
      fc.property(objectText, (text) => {
        expect(byParsing(Buffer.from(text).toString(), KEY)).toBeDefined();
        agrees(scanTopLevelString, text);
      }),
      settings,
    );
  });

  it('damaged objects: the same answer whenever JSON.parse has one', () => {
    fc.assert(
      fc.property(damaged, (text) => agrees(scanTopLevelString, text)),
      settings,
    );
  });

  it('every proper beginning of an object is malformed', () => {
    fc.assert(
      fc.property(objectText, fc.nat(), (text, cut) => {
        const body = Buffer.from(text.trim());
        const part = body.subarray(0, cut % body.length);
        expect(scanTopLevelString(part, KEY).kind).toBe('malformed');
      }),
      settings,
    );
  });

  it('bytes of any kind never make it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        scanTopLevelString(Buffer.concat([Buffer.from('{"'), bytes]), KEY);
      }),
      settings,
    );
  });
});

describe('the property is sharp: it catches', () => {
  const firstWins: Scanner = (body, wanted) => {
    const match = /"model"\s*:\s*"([^"]*)"/.exec(body.toString());
    return match === null ? scanTopLevelString(body, wanted) : { kind: 'string', value: match[1] ?? '' };
  };
  const blindToEscapes: Scanner = (body, wanted) => {
    const text = body.toString().replaceAll('\\u006d', '\\u0001');
    return scanTopLevelString(Buffer.from(text), wanted);
  };
  const countsNested: Scanner = (body, wanted) => {
    const text = body.toString();
    return text.includes('{"model":"x"}') ? { kind: 'string', value: 'x' } : scanTopLevelString(body, wanted);
  };
  it.each([
    ['a scanner that takes the first match anywhere', firstWins],
    ['a scanner that does not resolve escapes in keys', blindToEscapes],
    ['a scanner that looks into nested objects', countsNested],
  ])('%s', (_name, bad) => {
    const run = fc.check(
      fc.property(objectText, (text) => agrees(bad, text)),
      { numRuns: 5000 },
    );
    expect(run.failed).toBe(true);
  });
});
