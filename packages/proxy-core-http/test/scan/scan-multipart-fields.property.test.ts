import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanMultipartFields } from '../../src/index.ts';

/** Raise with SCAN_RUNS=300000 for a long hunt. */
const RUNS = Number(process.env['SCAN_RUNS'] ?? 3000);
const NAMES: readonly string[] = ['model', 'stream'];

interface Part {
  readonly name: string;
  readonly file: boolean;
  readonly content: Buffer;
  readonly quoteName: boolean;
}
interface Form {
  readonly boundary: string;
  readonly preamble: string;
  readonly parts: readonly Part[];
  readonly epilogue: string;
}
/** The wanted values, or undefined for a body that is refused. */
type Scanner = (body: Buffer, boundary: string) => readonly (string | undefined)[] | undefined;

const scan: Scanner = (body, boundary) => {
  const found = scanMultipartFields(body, `multipart/form-data; boundary="${boundary}"`, NAMES);
  return found.kind === 'scanned' ? found.values : undefined;
};

/** The plain way: cut the text at every delimiter and look at every piece. */
const bySplitting: Scanner = (body, boundary) => {
  const [, ...pieces] = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`);
  const values: (string | undefined)[] = NAMES.map(() => undefined);
  for (const piece of pieces) {
    if (/^--[ \t]*(\r\n|$)/.test(piece)) return values;
    const parsed = /^[ \t]*\r\n(.*?)\r\n\r\n(.*)$/s.exec(piece);
    if (parsed === null) return undefined;
    const [, head = '', content = ''] = parsed;
    const [, quoted, bare = ''] = /;\s*name=(?:"([^"]*)"|([^";\s]*))/i.exec(head) ?? [];
    const index = NAMES.indexOf(quoted ?? bare);
    if (index >= 0 && !/;\s*filename=/i.test(head))
      values[index] = Buffer.from(content, 'latin1').toString('utf8');
  }
  return undefined;
};

const boundary = fc.oneof(
  fc.constantFrom('b', '-', '--', 'model', "a'()+_,./:=?z", '----WebKitFormBoundaryabc'),
  fc.string({ unit: fc.constantFrom('a', 'b', '-', '='), minLength: 1, maxLength: 70 }),
);
/** Content that is full of what delimiters are made of. */
const content = (mark: string): fc.Arbitrary<Buffer> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '\r\n',
          '\r',
          '\n',
          '--',
          '-',
          `--${mark.slice(0, -1)}`,
          `\r\n--${mark.slice(1)}`,
          mark,
          'model',
          'é',
          '"',
        ),
        fc.string({ unit: 'binary', maxLength: 8 }),
      ),
      { maxLength: 12 },
    )
    .map((pieces) => Buffer.from(pieces.join('')));
const form: fc.Arbitrary<Form> = boundary.chain((mark) =>
  fc.record({
    boundary: fc.constant(mark),
    preamble: fc.constantFrom('', 'hello\r\n', '\r\n', 'name="model"\r\n\r\nx\r\n'),
    epilogue: fc.constantFrom('', '\r\n', `\r\n--${mark}\r\nmore`, ' \t'),
    parts: fc.array(
      fc.record({
        name: fc.constantFrom(...NAMES, 'file', 'Model', 'models'),
        file: fc.boolean(),
        content: content(mark),
        quoteName: fc.boolean(),
      }),
      { maxLength: 5 },
    ),
  }),
);

function written({ boundary: mark, preamble, parts, epilogue }: Form): Buffer {
  const pieces: Buffer[] = [Buffer.from(preamble)];
  for (const part of parts) {
    const name = part.quoteName ? `"${part.name}"` : part.name;
    const disposition = `form-data; name=${name}${part.file ? '; filename="a\\"b"' : ''}`;
    pieces.push(
      Buffer.from(`--${mark}\r\nContent-Disposition: ${disposition}\r\n\r\n`),
      part.content,
      Buffer.from('\r\n'),
    );
  }
  return Buffer.concat([...pieces, Buffer.from(`--${mark}--${epilogue}`)]);
}

/** Content that holds its own delimiter would be another form; to some readers also behind a CR or LF alone. */
const honest = ({ boundary: mark, parts }: Form): boolean =>
  parts.every((part) => {
    const lines = Buffer.concat([Buffer.from('\r\n'), part.content, Buffer.from('\r\n')]);
    return !lines.includes(`\n--${mark}`) && !lines.includes(`\r--${mark}`);
  });

function agrees(scanner: Scanner, candidate: Form): void {
  const values = NAMES.map((wanted) =>
    candidate.parts.findLast((part) => part.name === wanted && !part.file)?.content.toString(),
  );
  expect(scanner(written(candidate), candidate.boundary)).toEqual(values);
}

describe('property: the scanner against what was written and against plain splitting', () => {
  it('finds the last field of each name and no file, whatever the content looks like', () => {
    fc.assert(
      fc.property(form.filter(honest), (candidate) => {
        agrees(scan, candidate);
        expect(bySplitting(written(candidate), candidate.boundary)).toEqual(
          scan(written(candidate), candidate.boundary),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('damaged forms: refused, or the same values as plain splitting finds', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom('', '\r', '\n', '-', '"', ';', 'x', '\r\n')), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(form, edits, (candidate, changes) => {
        let text = written(candidate).toString('latin1');
        for (const [at, put] of changes) text = splice(text, at % (text.length + 1), put);
        const body = Buffer.from(text, 'latin1');
        const found = scan(body, candidate.boundary);
        if (found !== undefined) expect(bySplitting(body, candidate.boundary)).toEqual(found);
      }),
      { numRuns: RUNS },
    );
  });

  it('every form cut before its closing boundary is complete is refused', () => {
    fc.assert(
      fc.property(form.filter(honest), fc.nat(), (candidate, cut) => {
        const body = written({ ...candidate, epilogue: '' });
        expect(scan(body.subarray(0, cut % body.length), candidate.boundary)).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  });

  it('bytes of any kind never make it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        scan(Buffer.concat([Buffer.from('--b\r\nContent-Disposition: '), bytes]), 'b');
      }),
      { numRuns: RUNS },
    );
  });
});

function splice(text: string, at: number, put: string): string {
  return text.slice(0, at) + put + text.slice(at + 1);
}

describe('the property is sharp: it catches', () => {
  const firstWins: Scanner = (body, mark) => {
    const found = scan(body, mark);
    const first = /name="?model"?\r\n\r\n(.*?)\r\n--/s.exec(body.toString('latin1'))?.[1];
    return first === undefined ? found : found?.with(0, Buffer.from(first, 'latin1').toString());
  };
  const filesAreFields: Scanner = (body, mark) =>
    scan(Buffer.from(body.toString('latin1').replaceAll('; filename="a\\"b"', ''), 'latin1'), mark);
  const splitsAnywhere: Scanner = (body, mark) =>
    scan(Buffer.from(body.toString('latin1').replaceAll(`--${mark}`, `\r\n--${mark}`), 'latin1'), mark);
  const trims: Scanner = (body, mark) => scan(body, mark)?.map((value) => value?.trim());

  it.each([
    ['a scanner that takes the first field', firstWins],
    ['a scanner that takes files for fields', filesAreFields],
    ['a scanner that sees boundaries in the middle of a line', splitsAnywhere],
    ['a scanner that trims values', trims],
  ])('%s', (_name, bad) => {
    const property = fc.property(form.filter(honest), (candidate) => agrees(bad, candidate));
    expectCaught(() => fc.assert(property, { numRuns: 5000 }));
  });
});
