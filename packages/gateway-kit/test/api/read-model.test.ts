import { describe, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';

const modelHeader = 'x-model';

function headers(values: readonly string[]): string[] {
  return values.flatMap((value) => ['X-Model', value]);
}

describe('the model of a JSON body', () => {
  const accepted: [what: string, body: string, header: string[], model: string][] = [
    ['the body', '{"model":"m"}', [], 'm'],
    ['an escaped key', '{"mod\\u0065l":"m"}', [], 'm'],
    ['an escaped value', '{"model":"\\u006d"}', [], 'm'],
    ['only the top level', '{"messages":[{"model":"inner"}],"model":"outer"}', [], 'outer'],
    ['a header that agrees', '{"model":"m"}', ['m'], 'm'],
    ['a header alone', '{"messages":[]}', [' m '], 'm'],
    ['a header given twice alike', '{}', ['m', 'm'], 'm'],
    ['no folding of case', '{"model":"M"}', [], 'M'],
  ];
  it.each(accepted)('is taken from %s', (_what, body, values, name) => {
    const result = ask(body, { modelHeader, headers: headers(values) });
    expect(result).toMatchObject({ ok: true, asked: { kind: 'inference_model', name } });
  });

  const refused: [what: string, body: string, header: string[], code: string][] = [
    ['an empty body', '', [], 'invalid_json'],
    ['malformed JSON', '{"model":', [], 'invalid_json'],
    ['an array', '["model"]', [], 'invalid_json'],
    ['no model', '{"messages":[]}', [], 'missing_model'],
    ['two models', '{"model":"m","model":"forbidden"}', [], 'invalid_model'],
    ['two models, one of them escaped', '{"\\u006dodel":"x","model":"m"}', [], 'invalid_model'],
    ['two equal models', '{"model":"m","model":"m"}', [], 'invalid_model'],
    ['a second model in capitals, which Go takes', '{"model":"m","MODEL":"other"}', [], 'invalid_model'],
    ['a model in capitals beside a good header', '{"Model":"other"}', ['m'], 'invalid_model'],
    ['a number', '{"model":7}', [], 'invalid_model'],
    ['null', '{"model":null}', [], 'invalid_model'],
    ['an empty model', '{"model":""}', [], 'invalid_model'],
    ['a blank model', '{"model":"  "}', [], 'invalid_model'],
    ['257 bytes', `{"model":"${'é'.repeat(129)}"}`, [], 'invalid_model'],
    ['a header that disagrees', '{"model":"a"}', ['b'], 'model_mismatch'],
    ['two headers that disagree', '{}', ['a', 'b'], 'model_mismatch'],
    ['an empty header', '{}', [''], 'invalid_model'],
    ['a non-string beside a good header', '{"model":7}', ['m'], 'invalid_model'],
    ['a malformed body beside a good header', 'nope', ['m'], 'invalid_json'],
  ];
  it.each(refused)('cannot be told from %s', (_what, body, values, code) => {
    const result = ask(body, { modelHeader, headers: headers(values) });
    expect(result).toMatchObject({ ok: false, problem: { code } });
  });

  it('messages stay short whatever the client sent', () => {
    const body = JSON.stringify({ model: 'x'.repeat(1_000_000) });
    const result = ask(body, { modelHeader, headers: headers(['y'.repeat(60_000)]) });
    if (result.ok) throw new Error('expected a refusal');
    expect(result.problem.message.length).toBeLessThan(400);
  });

  it('a header that is not configured is not looked at', () => {
    expect(ask('{"model":"m"}', { headers: headers(['other']) })).toMatchObject({ asked: { name: 'm' } });
  });

  it.each([
    ['{"model":"m","stream":true}', true],
    ['{"model":"m","stream":false}', false],
    ['{"model":"m","stream":"true"}', false],
    ['{"model":"m","a":{"stream":true}}', false],
    ['{"model":"m"}', false],
  ])('%s asks for a stream: %s', (body, streamed) => {
    expect(ask(body)).toMatchObject({ asked: { streamed } });
  });
});

describe('the model of a form', () => {
  const headersOf = (boundary: string): string[] => [
    'Content-Type',
    `multipart/form-data; boundary=${boundary}`,
  ];
  const target = '/v1/audio/transcriptions';
  const part = (name: string, value: string, more = ''): string =>
    `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

  it('is found behind a large file', () => {
    const file = part('file', `{"model":"inside the file"}${'\0'.repeat(5_000_000)}`, '; filename="a.wav"');
    const body = `${file}${part('stream', 'true')}${part('model', 'whisper')}--B--\r\n`;
    expect(ask(body, { target, headers: headersOf('B') })).toMatchObject({
      asked: { name: 'whisper', streamed: true, stateKey: undefined },
    });
  });

  it.each([
    ['cut off', part('model', 'm'), 'invalid_form'],
    ['without the field', `${part('language', 'en')}--B--`, 'missing_model'],
    ['with two models', `${part('model', 'a')}${part('model', 'b')}--B--`, 'invalid_model'],
    ['with an empty model', `${part('model', '')}--B--`, 'invalid_model'],
    ['whose model is a file', `${part('model', 'm', '; filename="m"')}--B--`, 'missing_model'],
  ])('cannot be told from one %s', (_what, body, code) => {
    const result = ask(body, { target, headers: headersOf('B') });
    expect(result).toMatchObject({ ok: false, problem: { code } });
  });

  it('may be that of a JSON object, where the API takes both', () => {
    const options = { target: '/v1/images/edits', headers: ['content-type', 'application/json'] };
    expect(ask('{"model":"m"}', options)).toMatchObject({ asked: { name: 'm' } });
  });
});

describe('the state that a request goes on with', () => {
  const target = '/v1/responses';
  it.each([
    ['{"model":"m","previous_response_id":"resp_1"}', 'response:resp_1'],
    ['{"model":"m","conversation":"conv_1"}', 'conversation:conv_1'],
    ['{"model":"m","conversation":{"x":[1],"id":"conv_1"}}', 'conversation:conv_1'],
    ['{"model":"m","conversation":"conv_1","previous_response_id":"resp_1"}', 'response:resp_1'],
    ['{"model":"m","previous_response_id":null}', undefined],
    ['{"model":"m","previous_response_id":""}', undefined],
    ['{"model":"m","conversation":{"x":1}}', undefined],
    [`{"model":"m","previous_response_id":"${'r'.repeat(1025)}"}`, undefined],
    ['{"model":"m","metadata":{"previous_response_id":"resp_1"}}', undefined],
  ])('%#', (body, stateKey) => {
    expect(ask(body, { target })).toMatchObject({ ok: true, asked: { stateKey } });
    expect(ask(body)).toMatchObject({ ok: true, asked: { stateKey: undefined } });
  });

  it.each([
    ['GET', '/v1/responses/resp_1?stream=true&starting_after=3', true],
    ['GET', '/v1/responses/resp_1', false],
    ['DELETE', '/v1/responses/resp_1', false],
    ['POST', '/v1/responses/resp_1/cancel', false],
    ['GET', '/v1/responses/resp_1/input_items?limit=2', false],
  ])('%s %s is that response', (method, path, streamed) => {
    const result = ask('', { method, target: path, modelHeader });
    expect(result).toMatchObject({ asked: { name: undefined, stateKey: 'response:resp_1', streamed } });
  });
});
