import { describe, expect, it } from 'vitest';
import { identifyModel } from '../../src/request/identify-model.ts';

const name = 'x-model';

describe('identifyModel', () => {
  const accepted: [what: string, body: string, header: string[], model: string][] = [
    ['the body', '{"model":"m"}', [], 'm'],
    ['an escaped key', '{"mod\\u0065l":"m"}', [], 'm'],
    ['the last of two', '{"model":"a","model":"b"}', [], 'b'],
    ['only the top level', '{"messages":[{"model":"inner"}],"model":"outer"}', [], 'outer'],
    ['a header that agrees', '{"model":"m"}', ['m'], 'm'],
    ['a header alone', '{"messages":[]}', [' m '], 'm'],
    ['a header given twice alike', '{}', ['m', 'm'], 'm'],
    ['no folding of case', '{"model":"M"}', [], 'M'],
  ];
  it.each(accepted)('accepts %s', (_what, body, values, model) => {
    expect(identifyModel({ body: Buffer.from(body), header: { name, values } })).toEqual({ ok: true, model });
  });

  const refused: [what: string, body: string, header: string[], code: string][] = [
    ['an empty body', '', [], 'invalid_json'],
    ['malformed JSON', '{"model":', [], 'invalid_json'],
    ['an array', '["model"]', [], 'invalid_json'],
    ['no model', '{"messages":[]}', [], 'missing_model'],
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
  it.each(refused)('refuses %s', (_what, body, values, code) => {
    const result = identifyModel({ body: Buffer.from(body), header: { name, values } });
    expect(result).toMatchObject({ ok: false, failure: { status: 400, code } });
  });

  it('keeps messages short whatever the client sent', () => {
    const body = Buffer.from(JSON.stringify({ model: 'x'.repeat(1_000_000) }));
    const result = identifyModel({ body, header: { name, values: ['y'.repeat(60_000)] } });
    if (result.ok) throw new Error('expected a refusal');
    expect(result.failure.message.length).toBeLessThan(400);
  });

  it('does not look at a header that is not configured', () => {
    const result = identifyModel({ body: Buffer.from('{"model":"m"}') });
    expect(result).toEqual({ ok: true, model: 'm' });
  });
});
