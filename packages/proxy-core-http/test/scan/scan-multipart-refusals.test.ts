import { describe, expect, it } from 'vitest';
import { crlf, field, form, malformed, part, scan, TYPE } from '../support/forms.ts';

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
    [
      'a form hidden in the preamble, in lines that end with LF alone (Go reads that one)',
      Buffer.concat([
        Buffer.from('\n--XX\nContent-Disposition: form-data; name="model"\n\nother\n--XX--\r\n'),
        form(field('model', 'm')),
      ]),
      'CR LF before every boundary',
    ],
    [
      'a boundary behind LF alone inside a file (Werkzeug takes it for one)',
      form(
        part(
          'form-data; name="f"; filename="f"',
          'x\n--XX\nContent-Disposition: form-data; name="model"\n\no',
        ),
        field('model', 'm'),
      ),
      'CR LF before every boundary',
    ],
    [
      'a boundary behind CR alone inside a file',
      form(part('form-data; name="f"; filename="f"', 'x\r--XX\r'), field('model', 'm')),
      'CR LF before every boundary',
    ],
    [
      'a value that begins with LF and a boundary',
      form(field('a', '\n--XX--')),
      'CR LF before every boundary',
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
  it('a content type with 60,000 spaces before its last letter is not tried at each of them', () => {
    const started = performance.now();
    expect(scan(form(field('model', 'm')), `${TYPE}${' '.repeat(60_000)}x`)).toEqual(
      malformed('well-formed'),
    );
    expect(performance.now() - started).toBeLessThan(500);
  });

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
