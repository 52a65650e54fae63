import { describe, expect, it } from 'vitest';
import { BodyPieces, type ScannedValue, scanTopLevelKeys } from '../../src/index.ts';

const scan = (body: string | Buffer, key = 'model'): unknown => {
  const found = scanTopLevelKeys(Buffer.from(body), [key]);
  return found.kind === 'scanned' ? found.values[0] : found;
};
const string = (value: string): ScannedValue => ({ kind: 'string', value });

describe('finds what JSON.parse finds', () => {
  it.each<[string, ScannedValue | undefined]>([
    ['{"model":"m"}', string('m')],
    [' \r\n\t{ "model" :\t"m" } \n', string('m')],
    ['{"model":""}', string('')],
    ['{"a":{"model":"x"},"model":"m"}', string('m')],
    ['{"a":[{"model":"x"}],"b":"model","model":"m"}', string('m')],
    ['{"model":"a","model":"b"}', string('b')],
    ['{"\\u006dodel":"x"}', string('x')],
    ['{"model":"a","mod\\u0065l":"b"}', string('b')],
    ['{"\\u006Dodel":"a","model":"b"}', string('b')],
    ['{"model":"a\\"b\\\\c\\/\\n\\u00e9"}', string('a"b\\c/\né')],
    ['{"model":"\\ud83d\\ude42 🙂"}', string('🙂 🙂')],
    ['{"prompt":"say \\"model\\": \\"no\\" \\\\","model":"m"}', string('m')],
    ['{"Model":"no","model ":"no","mode":"no","models":"no"}', undefined],
    ['{}', undefined],
    ['{"a":"model"}', undefined],
    ['{"model":1}', { kind: 'number', start: 9, end: 10 }],
    ['{"model": -1.5e+3 }', { kind: 'number', start: 10, end: 17 }],
    ['{"model":true}', { kind: 'boolean', value: true }],
    ['{"model":false}', { kind: 'boolean', value: false }],
    ['{"model":null}', { kind: 'null' }],
    ['{"model":["m"]}', { kind: 'array', start: 9, end: 14 }],
    ['{"model":{"model":"m"}}', { kind: 'object', start: 9, end: 22 }],
    ['{"model":"a","model":null}', { kind: 'null' }],
    ['{"model":null,"model":"b"}', string('b')],
  ])('%s', (text, expected) => {
    expect(scan(text)).toEqual(expected);
  });

  it('takes any key, also __proto__, one with a quote, one outside ASCII and the empty one', () => {
    expect(scan('{"__proto__":"p"}', '__proto__')).toEqual(string('p'));
    expect(scan('{"a\\"b":"q"}', 'a"b')).toEqual(string('q'));
    expect(scan('{"schlüssel":"s"}', 'schlüssel')).toEqual(string('s'));
    expect(scan('{"":"e"}', '')).toEqual(string('e'));
  });

  it('a megabyte of prompt before and after, with quotes and backslashes at every offset', () => {
    const prompt = JSON.stringify(`${'lorem "ipsum" \\ dolor '.repeat(50_000)}\\`);
    expect(scan(`{"prompt":${prompt},"model":"m","again":${prompt}}`)).toEqual(string('m'));
    for (let length = 0; length < 80; length++) {
      const text = `${'a'.repeat(length)}\\"`;
      expect(scan(JSON.stringify({ text, model: 'm' }))).toEqual(string('m'));
      expect(scan(JSON.stringify({ text: `${text}\\`, model: 'm' }))).toEqual(string('m'));
    }
  });

  it('nesting far beyond any stack', () => {
    const depth = 1_000_000;
    const deep = `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
    expect(scan(`{"deep":${deep},"model":"m"}`)).toEqual(string('m'));
  });
});

describe('several keys in one pass', () => {
  it('gives each wanted key its own last value, in the order asked for', () => {
    const body = Buffer.from(
      '{"stream":false,"model":"a","conversation":{"id":"c\\u0031"},"model":"b","stream":true}',
    );
    const found = scanTopLevelKeys(body, ['model', 'stream', 'previous_response_id', 'conversation']);
    if (found.kind !== 'scanned') throw new Error(found.message);
    const [model, stream, previous, conversation] = found.values;
    expect([model, stream, previous]).toEqual([string('b'), { kind: 'boolean', value: true }, undefined]);
    if (conversation?.kind !== 'object') throw new Error('expected an object');
    const inner = scanTopLevelKeys(body.subarray(conversation.start, conversation.end), ['id']);
    expect(inner).toEqual({ kind: 'scanned', values: [string('c1')], repeated: undefined });
  });

  it.each([
    ['{"model":"a","model":"a"}', 'model'],
    ['{"model":"a","mod\\u0065l":1}', 'model'],
    ['{"stream":true,"stream":true,"model":"a","model":"a"}', 'model'],
    ['{"stream":true,"model":"a","stream":true}', 'stream'],
    ['{"model":"a","stream":true,"a":{"model":"a"},"other":1,"other":2}', undefined],
    ['{"model":"a","MODEL":"b"}', 'model'],
    ['{"Stream":true,"model":"a","stream":false}', 'stream'],
    ['{"model":"a","\\u004dod\\u0045L":"b"}', 'model'],
    ['{"Model":"a","stream":true}', 'model'],
    ['{"model":"a","m\u00f6del":1,"mo\\ndel":1,"mOdel ":1,"\u212aodel":1}', undefined],
  ])('%s says which wanted key stands twice: %s', (text, repeated) => {
    expect(scanTopLevelKeys(Buffer.from(text), ['model', 'stream'])).toMatchObject({ repeated });
  });

  it('no key at all: only tells whether the body is an object', () => {
    expect(scanTopLevelKeys(Buffer.from('{"a":1}'), [])).toEqual({
      kind: 'scanned',
      values: [],
      repeated: undefined,
    });
    expect(scanTopLevelKeys(Buffer.from('[]'), [])).toMatchObject({ kind: 'malformed', offset: 0 });
  });
});

describe('hostile keys', () => {
  it('that are escaped cost no more in many pieces than in one', () => {
    // A body of 50 MB took five minutes in which nobody was served: each key was looked for in all pieces.
    const body = Buffer.from(`{${'"\\u0061":1,'.repeat(1_500_000)}"model":"m"}`);
    const pieces: Buffer[] = [];
    for (let at = 0; at < body.length; at += 1024) pieces.push(body.subarray(at, at + 1024));
    const started = performance.now();
    const found = scanTopLevelKeys(new BodyPieces(pieces), ['model', 'stream']);
    expect(found).toMatchObject({ values: [string('m'), undefined] });
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it.each(['{"\\x":1}', '{"\\u00g1":1}', '{"\\u12":1}', '{"\\'])(
    'with a broken escape are refused: %s',
    (text) => {
      expect(scan(text)).toMatchObject({ kind: 'malformed' });
    },
  );
});

describe('a returned string is Unicode text, so that two spellings never decode to one value', () => {
  it.each(['\\ud800', '\\udc00x', 'a\\ud83d\\u0041', '\\ude42\\ud83d'])('lone surrogate %s', (text) => {
    expect(scan(`{"model":"${text}"}`)).toMatchObject({
      kind: 'malformed',
      offset: 9,
      message: expect.stringContaining('lone surrogates') as string,
    });
  });

  it.each([
    ['a byte that starts nothing', [0xff]],
    ['a sequence cut short', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate in three bytes', [0xed, 0xa0, 0x80]],
    ['beyond the last code point', [0xf4, 0x90, 0x80, 0x80]],
  ])('invalid UTF-8: %s', (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('{"model":"m'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(scan(body)).toMatchObject({
      kind: 'malformed',
      offset: 9,
      message: expect.stringContaining('UTF-8') as string,
    });
    expect(scan(body, 'other')).toBeUndefined();
  });

  it('a key with such bytes is another key', () => {
    const body = Buffer.concat([Buffer.from('{"mod'), Buffer.from([0xff]), Buffer.from('el":"x"}')]);
    expect(scan(body)).toBeUndefined();
    expect(scan('{"model\\ud800":"x"}')).toBeUndefined();
  });
});

describe('says where a body stops being JSON', () => {
  it.each<[string, number, string]>([
    ['', 0, 'a JSON object, starting with "{", found the end'],
    ['   ', 3, 'a JSON object'],
    ['\ufeff{"model":"m"}', 0, 'byte order mark'],
    ['nul', 0, 'a JSON object'],
    ['{', 1, 'a key in double quotes, found the end'],
    ['{"model"', 8, '":"'],
    ['{"model":', 9, 'a value, found the end'],
    ['{"model":"m', 11, 'a closing quote, found the end'],
    ['{"model":"m\\"}', 14, 'a closing quote'],
    ['{"mod', 5, 'a closing quote'],
    ['{"model":"m"', 12, '"," or "}"'],
    ['{"model":"m",}', 13, 'a key'],
    ['{,"model":"m"}', 1, 'a key'],
    ['{"model" "m"}', 9, '":"'],
    ['{model:"m"}', 1, 'a key'],
    ["{'model':'m'}", 1, 'a key'],
    ['{"model":m}', 9, 'a value'],
    ['{"model":"m"} x', 14, 'nothing after'],
    ['{"model":"m"}{}', 13, 'nothing after'],
    ['{"model":"m"}}', 13, 'nothing after'],
    ['{"a":[1,2},"model":"m"}', 9, 'a bracket closed by its own kind'],
    ['{"a":[[[[]]],"model":"m"}', 24, 'a bracket'],
    ['{"a":{"model":"m"', 17, 'a closing bracket'],
    ['{"a":01,"model":"m"}', 5, 'a value'],
    ['{"a":1.,"model":"m"}', 5, 'a value'],
    ['{"a":+1,"model":"m"}', 5, 'a value'],
    ['{"a":tru,"model":"m"}', 5, 'a value'],
    ['{"a":NaN,"model":"m"}', 5, 'a value'],
    ['{"a" :\u00a01,"model":"m"}', 6, 'a value'],
    ['{"model":"a\nb"}', 9, 'a string without control characters'],
    ['{"model":"a\\x"}', 9, 'unknown escapes'],
    ['{"mo\ndel":"a"}', 4, 'no control character'],
    ['{"\\x":"a"}', 1, 'unknown escapes'],
  ])('%j', (text, offset, message) => {
    expect(scan(text)).toMatchObject({
      kind: 'malformed',
      offset,
      message: expect.stringContaining(message) as string,
    });
    expect(() => JSON.parse(text.replace('\ufeff', '\ufeff\ufeff')) as unknown).toThrow();
  });

  it.each(['[1]', '"model"', '1', 'null'])('%s is JSON, but no object', (text) => {
    expect(scan(text)).toMatchObject({ kind: 'malformed', offset: 0 });
  });

  it('UTF-16', () => {
    expect(scan(Buffer.from('{"model":"m"}', 'utf16le'))).toMatchObject({ kind: 'malformed' });
  });
});

describe('what is not validated, as documented', () => {
  it.each(['{"a":[1 2 x],"model":"m"}', '{"a":"\n","model":"m"}', '{"a":"\\x","model":"m"}'])(
    '%j',
    (text) => {
      expect(scan(text)).toEqual(string('m'));
      expect(() => JSON.parse(text) as unknown).toThrow();
    },
  );
});

describe('speed on hostile bodies', () => {
  it.each([
    ['quotes', `{"a":"${'\\"'.repeat(500_000)}","model":"m"}`],
    ['backslashes', `{"a":"${'\\\\'.repeat(500_000)}","model":"m"}`],
    ['short keys', `{${'"model":"x",'.repeat(90_000)}"model":"m"}`],
    ['escaped keys', `{${'"\\u006dodel":"x",'.repeat(60_000)}"model":"m"}`],
    ['brackets', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)},"model":"m"}`],
  ])('is linear: a megabyte of %s', (_name, text) => {
    const body = Buffer.from(text);
    const started = performance.now();
    expect(scan(body)).toEqual(string('m'));
    // Quadratic would be minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
