import { describe, expect, it } from 'vitest';
import { encodedBody } from '../../src/index.ts';
import { ask } from '../support/ask.ts';

const CHAT = '/v1/chat/completions';
const FORM = '/v1/audio/transcriptions';
const BODY = '{"model":"m"}';
/** Python's decoder of UTF-7 makes quotes of `+ACI-`: it reads the model "other" here. */
const UTF_7 = '{"model":"m","x":"+ACI-,+ACI-model+ACI-:+ACI-other"}';
const CALL = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe('a body is refused when a server that goes by its label would read another model:', () => {
  it.each([
    [CHAT, UTF_7, ['application/json; charset=utf-7'], 'invalid_json'],
    [CHAT, UTF_7, ['application/json; charset="UTF-7"'], 'invalid_json'],
    [CHAT, UTF_7, ['application/json', 'application/json;charset=utf-7'], 'invalid_json'],
    [CHAT, BODY, ['application/json; charset=utf-8; charset=cp037'], 'invalid_json'],
    [CHAT, BODY, ['application/json; charset=unicode_escape'], 'invalid_json'],
    [CHAT, BODY, ['application/json; charset='], 'invalid_json'],
    [CHAT, BODY, ['multipart/form-data; boundary=b'], 'invalid_json'],
    [FORM, '{"model":"m","x":"&model=other&"}', ['application/x-www-form-urlencoded'], 'invalid_form'],
    [FORM, BODY, ['application/json; charset=utf-7'], 'invalid_form'],
    ['/mcp', CALL, ['application/json; charset=utf-7'], 'invalid_json'],
  ])('%s %s as %j', (target, body, types, code) => {
    const headers = types.flatMap((type) => ['Content-Type', type]);
    expect(ask(body, { target, headers })).toMatchObject({ ok: false, problem: { code } });
  });

  it.each([
    [CHAT, []],
    [CHAT, ['application/json; charset=utf-8']],
    [CHAT, ['application/json;charset="UTF8"']],
    [CHAT, ['application/json; charset=ISO-8859-1']],
    [CHAT, ['application/x-www-form-urlencoded']],
    [CHAT, ['text/plain']],
    [FORM, ['application/json']],
  ])('but not %s as %j', (target, types) => {
    const headers = types.flatMap((type) => ['Content-Type', type]);
    expect(ask(BODY, { target, headers })).toMatchObject({ ok: true, asked: { name: 'm' } });
  });
});

it('an encoded body is told from a plain one', () => {
  expect(encodedBody([])).toBeUndefined();
  expect(encodedBody(['Content-Encoding', ' Identity '])).toBeUndefined();
  expect(encodedBody(['Content-Encoding', 'gzip'])).toContain('"gzip"');
  expect(encodedBody(['Content-Encoding', 'identity', 'content-encoding', 'br'])).toContain('br');
});
