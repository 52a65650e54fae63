import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyPieces, type HeldBody, type MalformedBody, scanTopLevelKeys } from '../../src/index.ts';

/** Raise with SCAN_RUNS=300000 for a long hunt. */
const RUNS = Number(process.env['SCAN_RUNS'] ?? 5000);

/** What a scanner tells of the two keys, each value as JSON.parse would give it; undefined = missing. */
interface Found {
  readonly kind: 'scanned';
  readonly values: readonly unknown[];
}
type Scanner = (body: Buffer) => Found | MalformedBody;

const KEY = 'model';
const KEYS = [KEY, 'stream'] as const;

const scan: Scanner = (body) => {
  const found = scanTopLevelKeys(body, KEYS);
  if (found.kind === 'malformed') return found;
  const values = found.values.map((value): unknown => {
    if (value === undefined) return undefined;
    if (value.kind === 'string' || value.kind === 'boolean') return value.value;
    if (value.kind === 'null') return null;
    return parsed(body.toString('utf8', value.start, value.end));
  });
  return { kind: 'scanned', values };
};

/** The inside of nested values is not validated: what JSON.parse refuses is only compared with nothing. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { notJson: text };
  }
}

/** What the scanner promises, by JSON.parse; `undefined` when the text is not a JSON object. */
function byParsing(text: string): Found | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const object = value as Record<string, unknown>;
  return {
    kind: 'scanned',
    values: KEYS.map((key) => (Object.hasOwn(object, key) ? object[key] : undefined)),
  };
}

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
    fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...KEYS) }, { weight: 3, arbitrary: trickyString }),
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

/** JSON.parse returns lone surrogates; the scanner refuses them. */
function isNoUnicode(value: unknown): boolean {
  return typeof value === 'string' && /\p{Surrogate}/u.test(value);
}

/** Valid: the same answer. Invalid: any answer but a crash; and never "malformed" for what JSON.parse takes. */
function agrees(scanner: Scanner, text: string): void {
  const body = Buffer.from(text);
  const expected = byParsing(body.toString());
  const found = scanner(body);
  if (expected?.values.some(isNoUnicode) === true) expect(found.kind).toBe('malformed');
  else if (expected !== undefined) expect(found).toEqual(expected);
  else if (found.kind === 'malformed') expect(found.offset).toBeLessThanOrEqual(body.length);
}

describe('property: the scanner against JSON.parse', () => {
  const settings = { numRuns: RUNS };

  it('valid objects: the same answer', () => {
    fc.assert(
      fc.property(objectText, (text) => {
        expect(byParsing(Buffer.from(text).toString())).toBeDefined();
        agrees(scan, text);
      }),
      settings,
    );
  });

  it('damaged objects: the same answer whenever JSON.parse has one', () => {
    fc.assert(
      fc.property(damaged, (text) => agrees(scan, text)),
      settings,
    );
  });

  it('every proper beginning of an object is malformed', () => {
    fc.assert(
      fc.property(objectText, fc.nat(), (text, cut) => {
        const body = Buffer.from(text.trim());
        const part = body.subarray(0, cut % body.length);
        expect(scan(part).kind).toBe('malformed');
      }),
      settings,
    );
  });

  it('bytes of any kind never make it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        scanTopLevelKeys(Buffer.concat([Buffer.from('{"'), bytes]), KEYS);
      }),
      settings,
    );
  });
});

describe('property: a body in pieces is scanned like the whole one', () => {
  const pieced = fc.tuple(
    fc.oneof(objectText, damaged, fc.string({ unit: 'binary' })),
    fc.array(fc.nat(), { maxLength: 6 }),
  );
  type Told = ReturnType<typeof scanTopLevelKeys<typeof KEYS>>;

  /** Values, offsets and messages are the same, wherever the text is cut. */
  function sameInPieces(scanner: (body: HeldBody) => Told, text: string, cuts: readonly number[]): void {
    const whole = Buffer.from(text);
    const at = cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b);
    const pieces = [0, ...at].map((from, index) => whole.subarray(from, at[index] ?? whole.length));
    expect(scanner(new BodyPieces(pieces))).toEqual(scanTopLevelKeys(whole, KEYS));
  }

  it('cut anywhere', () => {
    fc.assert(
      fc.property(pieced, ([text, cuts]) => {
        sameInPieces((body) => scanTopLevelKeys(body, KEYS), text, cuts);
      }),
      { numRuns: RUNS },
    );
  });

  it('into single bytes, and strings longer than what is looked at byte by byte', () => {
    const long = fc
      .array(fc.constantFrom('"', '\\', 'x', '{', ']'), { minLength: 20, maxLength: 120 })
      .map(
        (letters) =>
          `{"a":[${JSON.stringify(letters.join(''))}],"model":${JSON.stringify(letters.join(''))}}`,
      );
    fc.assert(
      fc.property(fc.oneof(long, objectText), (text) => {
        const every = Array.from({ length: Buffer.byteLength(text) }, (_, index) => index);
        sameInPieces((body) => scanTopLevelKeys(body, KEYS), text, every);
      }),
      { numRuns: Math.ceil(RUNS / 5) },
    );
  });

  it('catches a scanner that looks at the first piece only', () => {
    const firstOnly = (body: HeldBody): Told =>
      scanTopLevelKeys(body instanceof BodyPieces ? (body.pieces[0] ?? Buffer.alloc(0)) : body, KEYS);
    expectCaught(() =>
      fc.assert(
        fc.property(pieced, ([text, cuts]) => sameInPieces(firstOnly, text, cuts)),
        { numRuns: RUNS },
      ),
    );
  });
});

describe('the property is sharp: it catches', () => {
  const withModel = (body: Buffer, model: string): Found | MalformedBody => {
    const found = scan(body);
    return found.kind === 'malformed' ? found : { ...found, values: [model, found.values[1]] };
  };
  const firstWins: Scanner = (body) => {
    const match = /"model"\s*:\s*"([^"]*)"/.exec(body.toString());
    return match === null ? scan(body) : withModel(body, match[1] ?? '');
  };
  const blindToEscapes: Scanner = (body) =>
    scan(Buffer.from(body.toString().replaceAll('\\u006d', '\\u0001')));
  const countsNested: Scanner = (body) =>
    body.toString().includes('{"model":"x"}') ? withModel(body, 'x') : scan(body);
  const mixesKeys: Scanner = (body) => {
    const found = scan(body);
    return found.kind === 'malformed' ? found : { ...found, values: found.values.toReversed() };
  };
  it.each([
    ['a scanner that takes the first match anywhere', firstWins],
    ['a scanner that does not resolve escapes in keys', blindToEscapes],
    ['a scanner that looks into nested objects', countsNested],
    ['a scanner that gives one key the value of the other', mixesKeys],
  ])('%s', (_name, bad) => {
    expectCaught(() =>
      fc.assert(
        fc.property(objectText, (text) => agrees(bad, text)),
        { numRuns: 5000 },
      ),
    );
  });
});
