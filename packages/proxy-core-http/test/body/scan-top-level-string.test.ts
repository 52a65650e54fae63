import { describe, expect, it } from 'vitest';
import { type ScanResult, scanTopLevelString } from '../../src/index.ts';

const scan = (text: string, key = 'model'): ScanResult => scanTopLevelString(Buffer.from(text), key);
const string = (value: string): ScanResult => ({ kind: 'string', value });

describe('finds what JSON.parse finds', () => {
  it.each<[string, ScanResult]>([
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
    ['{"model":"\\ud800"}', string('\ud800')],
    ['{"prompt":"say \\"model\\": \\"no\\" \\\\","model":"m"}', string('m')],
    ['{"Model":"no","model ":"no","mode":"no","models":"no"}', { kind: 'missing' }],
    ['{}', { kind: 'missing' }],
    ['{"a":"model"}', { kind: 'missing' }],
    ['{"model":1}', { kind: 'not_string', found: 'number' }],
    ['{"model":-1.5e+3}', { kind: 'not_string', found: 'number' }],
    ['{"model":true}', { kind: 'not_string', found: 'boolean' }],
    ['{"model":null}', { kind: 'not_string', found: 'null' }],
    ['{"model":["m"]}', { kind: 'not_string', found: 'array' }],
    ['{"model":{"model":"m"}}', { kind: 'not_string', found: 'object' }],
    ['{"model":"a","model":null}', { kind: 'not_string', found: 'null' }],
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
    expect(scanTopLevelString(Buffer.from('{"model":"m"}', 'utf16le'), 'model').kind).toBe('malformed');
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
    expect(scanTopLevelString(body, 'model')).toEqual(string('m'));
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
