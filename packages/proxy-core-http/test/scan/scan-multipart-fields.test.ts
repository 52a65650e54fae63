import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { scanMultipartFields } from '../../src/index.ts';
import { crlf, field, form, malformed, part, scan, TYPE } from '../support/forms.ts';

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
      repeated: undefined,
    });
  });

  it('the last of several wins, as in JSON', () => {
    expect(scan(form(field('model', 'a'), field('model', 'b')))).toBe('b');
  });

  it('says which wanted field stands twice; an empty one and a file of the name beside it do not count as none', () => {
    const file = part('form-data; name="model"; filename="f"', 'x');
    const repeated = (...parts: string[][]): unknown => {
      const found = scanMultipartFields(form(...parts), TYPE, ['model', 'stream']);
      return found.kind === 'scanned' ? found.repeated : found;
    };
    expect(
      repeated(field('stream', 'a'), field('stream', 'a'), field('model', ''), field('model', 'b')),
    ).toBe('model');
    expect(repeated(field('stream', 'a'), field('stream', 'b'))).toBe('stream');
    expect(repeated(field('model', 'a'), file, field('other', 'a'), field('other', 'a'))).toBeUndefined();
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
    expect(found).toEqual({ kind: 'scanned', values: ['m'], repeated: undefined });
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
