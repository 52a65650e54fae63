import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { scanMultipartFields } from '../../src/index.ts';

const TYPE = 'multipart/form-data; boundary=XX';
const crlf = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'));
const part = (disposition: string, value: string, ...headers: string[]): string[] => [
  '--XX',
  `Content-Disposition: ${disposition}`,
  ...headers,
  '',
  value,
];
const field = (name: string, value: string): string[] => part(`form-data; name="${name}"`, value);
const form = (...parts: string[][]): Buffer => crlf(...parts.flat(), '--XX--', '');

const scan = (body: Buffer, type = TYPE): unknown => {
  const found = scanMultipartFields(body, type, ['model']);
  return found.kind === 'scanned' ? found.values[0] : found;
};
const malformed = (message: string): unknown =>
  expect.objectContaining({
    kind: 'malformed',
    offset: expect.any(Number) as number,
    message: expect.stringContaining(message) as string,
  });

describe('finds a field wherever it stands', () => {
  it('before, between and behind files', () => {
    const file = part(
      'form-data; name="file"; filename="a.wav"',
      'RIFF\r\n\r\n--X',
      'Content-Type: audio/wav',
    );
    for (const parts of [
      [field('model', 'm'), file],
      [file, field('model', 'm')],
      [file, field('model', 'm'), file],
    ])
      expect(scan(form(...parts))).toBe('m');
  });

  it('behind 50 MB of a file, without a copy of it', () => {
    const head = crlf(...part('form-data; name="file"; filename="long.mp3"', ''));
    const body = Buffer.concat([
      head,
      randomBytes(50_000_000),
      crlf('', ...field('model', 'whisper'), '--XX--'),
    ]);
    const before = process.memoryUsage().arrayBuffers;
    expect(scan(body)).toBe('whisper');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
  });

  it('several fields in one pass, in the order asked for, and nothing for a missing one', () => {
    const body = form(field('stream', 'true'), field('other', 'x'), field('model', 'm'));
    expect(scanMultipartFields(body, TYPE, ['model', 'prompt', 'stream'])).toEqual({
      kind: 'scanned',
      values: ['m', undefined, 'true'],
    });
  });

  it('the last of several wins, as in JSON', () => {
    expect(scan(form(field('model', 'a'), field('model', 'b')))).toBe('b');
  });

  it('an empty value, one with line ends and one outside ASCII, byte for byte', () => {
    expect(scan(form(field('model', '')))).toBe('');
    expect(scan(form(field('model', '\r\n a\n\r\n')))).toBe('\r\n a\n\r\n');
    expect(scan(form(field('model', 'größe 🙂')))).toBe('größe 🙂');
  });

  it('no part at all', () => {
    expect(scan(crlf('--XX--', ''))).toBeUndefined();
  });

  it('a preamble and an epilogue are ignored, whatever looks like a part in them', () => {
    const inner = form(field('model', 'm')).toString();
    expect(scan(Buffer.from(`name="model"\r\n\r\nno\r\n${inner}\r\n--XX\r\nmore`))).toBe('m');
    expect(scan(Buffer.from(`\r\n${inner}`))).toBe('m');
    expect(scan(crlf(...field('model', 'm'), '--XX--'))).toBe('m');
  });

  it('spaces after a boundary', () => {
    expect(
      scan(Buffer.from(form(field('model', 'm')).toString().replaceAll('--XX\r\n', '--XX \t\r\n'))),
    ).toBe('m');
  });
});

describe('a file is never a field', () => {
  it.each([
    'form-data; name="model"; filename="model.txt"',
    'form-data; filename="x"; name="model"',
    'form-data; name="model"; filename=""',
    'form-data; name="model"; FileName=x',
    'form-data; name="model"; filename*=UTF-8\'\'x',
    'form-data; name="model"; filename="a\\"b;name=c"',
  ])('%s', (disposition) => {
    expect(scan(form(part(disposition, 'no')))).toBeUndefined();
    expect(scan(form(field('model', 'm'), part(disposition, 'no')))).toBe('m');
  });

  it('a form inside a file is not looked at', () => {
    const inner = form(field('model', 'no')).toString().replaceAll('--XX', '--YY');
    expect(scan(form(part('form-data; name="f"; filename="f"', inner), field('model', 'm')))).toBe('m');
  });
});

describe('boundaries of the content type', () => {
  it.each([
    ['multipart/form-data; boundary="XX"', 'XX'],
    ['Multipart/Form-Data;BOUNDARY=XX;charset=utf-8', 'XX'],
    ['multipart/form-data; charset="utf-8; boundary=YY"; boundary=XX', 'XX'],
    ['multipart/form-data; boundary=XX ;', 'XX'],
    [
      'multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW',
      '----WebKitFormBoundary7MA4YWxkTrZu0gW',
    ],
    [`multipart/form-data; boundary="a b'()+_,-./:=?c"`, "a b'()+_,-./:=?c"],
    [`multipart/form-data; boundary=${'b'.repeat(70)}`, 'b'.repeat(70)],
  ])('%s', (type, boundary) => {
    const body = Buffer.from(form(field('model', 'm')).toString().replaceAll('--XX', `--${boundary}`));
    expect(scan(body, type)).toBe('m');
  });

  it.each([
    '',
    'application/json',
    'multipart/mixed; boundary=XX',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/form-data; boundary="XX',
    'multipart/form-data; boundary="X\\X"',
    'multipart/form-data; boundary="XX "',
    'multipart/form-data; boundary=XX; boundary=YY',
    'multipart/form-data; boundary=XX; boundary*=YY',
    'multipart/form-data; boundary*=XX',
    'multipart/form-data; boundary = XX',
    'multipart/form-data, boundary=XX',
    'multipart/form-data; boundary=XX junk',
    'multipart/form-data; boundary=Xé',
    `multipart/form-data; boundary=${'b'.repeat(71)}`,
  ])('malformed: %s', (type) => {
    expect(scan(form(field('model', 'm')), type)).toEqual(malformed('expected'));
  });
});

describe('names and their escapes', () => {
  it.each([
    ['form-data; name=model', 'model'],
    ['FORM-DATA ; NAME="model" ; x=y', 'model'],
    ['form-data; name="a\\"b"', 'a"b'],
    ['form-data; name="a%22b"', 'a"b'],
    ['form-data; name="a\\\\b"', 'a\\b'],
    ['form-data; name="a%0D%0ab"', 'a\r\nb'],
    ['form-data; name="%6dodel"', '%6dodel'],
    ['form-data; name="modèle"', 'modèle'],
    ['form-data; name=""', ''],
  ])('%s', (disposition, name) => {
    const found = scanMultipartFields(form(part(disposition, 'm')), TYPE, [name]);
    expect(found).toEqual({ kind: 'scanned', values: ['m'] });
  });

  it('other headers of a part, in any case and order, do not matter', () => {
    const body = crlf(
      '--XX',
      'X-Any: 1',
      'CONTENT-disposition:form-data; name="model"',
      'content-type: text/plain',
      '',
      'm',
      '--XX--',
    );
    expect(scan(body)).toBe('m');
  });
});

describe('refuses what readers are known to take differently', () => {
  it.each<[string, Buffer, string]>([
    ['no closing boundary', crlf(...field('model', 'm'), '--XX', ''), 'an empty line'],
    ['cut inside a value', crlf(...field('model', 'm')), 'a closing boundary, found the end'],
    [
      'cut inside the closing boundary',
      crlf(...field('model', 'm'), '--XX-'),
      'the end of the line after a boundary',
    ],
    ['no boundary at all', Buffer.from('{"model":"m"}'), 'a first boundary, found the end'],
    ['empty', Buffer.alloc(0), 'a first boundary'],
    [
      'lines that end with LF alone',
      Buffer.from(form(field('model', 'm')).toString().replaceAll('\r', '')),
      'the end of the line',
    ],
    [
      'a longer boundary',
      crlf(...field('a', 'x'), '--XXX', 'model', '--XX--'),
      'the end of the line after a boundary',
    ],
    ['text after the closing boundary', crlf(...field('model', 'm'), '--XX--x'), 'the end of the line'],
    [
      'no empty line after the headers',
      crlf('--XX', 'Content-Disposition: form-data; name="a"', '--XX--'),
      'an empty line',
    ],
    [
      'a boundary right after the headers',
      crlf('--XX', 'Content-Disposition: form-data; name="a"', '', '--XX--'),
      'an empty line between',
    ],
    ['a part without headers', crlf('--XX', '', 'model', '--XX--'), 'an empty line'],
    [
      'a part without headers, another empty line later',
      crlf('--XX', '', 'a: b', '', 'x', '--XX--'),
      'header lines',
    ],
    ['no content-disposition', crlf('--XX', 'A: b', '', 'x', '--XX--'), 'a content-disposition'],
    [
      'two content-dispositions',
      form(part('form-data; name="a"', 'x', 'content-disposition: form-data; name="model"')),
      'one content-disposition',
    ],
    ['two names', form(part('form-data; name="a"; name="model"', 'x')), 'one name'],
    ['no name', form(part('form-data', 'x')), 'a name'],
    ['an extended name', form(part('form-data; name="a"; name*=utf-8\'\'model', 'x')), 'not name*'],
    ['a continued name', form(part('form-data; name*0="mo"; name*1="del"', 'x')), 'not name*'],
    ['another disposition', form(part('attachment; name="model"', 'x')), 'form-data'],
    ['an unclosed quote', form(part('form-data; name="model', 'x')), 'well-formed'],
    [
      'a quote hidden by a backslash',
      form(part('form-data; filename="a\\"; name="model"', 'x')),
      'well-formed',
    ],
    ['a backslash that some drop', form(part('form-data; name="mo\\del"', 'x')), 'escaped'],
    ['a folded line', form(part('form-data;', 'x', ' name="model"')), 'header lines'],
    [
      'a space before the colon',
      crlf('--XX', 'Content-Disposition : form-data; name="model"', '', 'x', '--XX--'),
      'header lines',
    ],
    ['a bare CR in a header', form(part('form-data; name="a\rb"', 'x')), 'header lines'],
    ['a bare LF in a header', form(part('form-data; name="a\nb"', 'x')), 'header lines'],
    ['a NUL in a header', form(part('form-data; name="model\0"', 'x')), 'header lines'],
    [
      'a wanted field in base64',
      form(part('form-data; name="model"', 'bQ==', 'Content-Transfer-Encoding: base64')),
      'content-transfer-encoding',
    ],
    [
      'two transfer encodings',
      form(
        part(
          'form-data; name="a"',
          'x',
          'Content-Transfer-Encoding: 8bit',
          'Content-Transfer-Encoding: base64',
        ),
      ),
      'one content-transfer-encoding',
    ],
    [
      'a wanted field outside UTF-8',
      Buffer.from(form(field('model', 'm\xff')).toString('latin1').replace('\xc3\xbf', '\xff'), 'latin1'),
      'UTF-8',
    ],
    [
      'endless headers',
      form(part('form-data; name="model"', 'x', `X: ${'x'.repeat(17_000)}`)),
      'bytes of headers',
    ],
    ['1001 parts', form(...Array<string[]>(1001).fill(field('model', 'm'))), 'at most 1000 parts'],
  ])('%s', (_name, body, message) => {
    expect(scan(body)).toEqual(malformed(message));
  });

  it('but neither the encoding nor the charset of a part nobody asked for, and 1000 parts', () => {
    const file = part('form-data; name="f"; filename="f"', '\xff\xfe', 'Content-Transfer-Encoding: base64');
    expect(scan(form(file, field('model', 'm')))).toBe('m');
    expect(scan(form(part('form-data; name="model"', 'm', 'Content-Transfer-Encoding: 8BIT')))).toBe('m');
    expect(scan(form(...Array<string[]>(1000).fill(field('model', 'm'))))).toBe('m');
  });
});

describe('speed on hostile forms', () => {
  const TYPE_A = `multipart/form-data; boundary=${'a'.repeat(70)}`;
  it.each([
    ['the beginning of a boundary again and again', `\r\n--${'a'.repeat(69)}`],
    ['the end of a boundary', 'a'],
    ['line ends', '\r\n'],
    ['dashes', '-'],
  ])('10 MB of %s is linear', (_name, text) => {
    const body = Buffer.from(text.repeat(10_000_000 / text.length));
    const started = performance.now();
    expect(scan(body, TYPE_A)).toEqual(malformed('a first boundary'));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
