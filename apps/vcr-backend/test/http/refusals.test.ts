import { waitUntil } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCassettes } from '../../src/cassette/load.ts';
import { CHECKED_IN, cassette } from '../cassettes.ts';
import { sendForJson, startVcr, type Vcr } from './vcr.ts';

let vcr: Vcr;
beforeAll(async () => {
  vcr = await startVcr(await loadCassettes(CHECKED_IN));
});
afterAll(() => vcr[Symbol.asyncDispose]());

const ask = (content: unknown, more: object = {}) => ({
  model: 'demo-model',
  messages: [{ role: 'user', content }],
  ...more,
});

async function errorOf(body: unknown, options = {}): Promise<Record<string, unknown>> {
  const { status, headers, json } = await sendForJson(vcr.port, body, options);
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-vcr-hit': 'false' });
  expect(Object.keys(json)).toEqual(['error']);
  const error = json['error'] as Record<string, unknown>;
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
  return { status, ...error };
}

describe('a miss', () => {
  it('names the nearest cassette and the first differing JSON path, expected and found', async () => {
    const error = await errorOf(ask('Which site answered?'));
    expect(error).toMatchObject({
      status: 404,
      type: 'invalid_request_error',
      code: 'vcr_miss',
      param: 'messages[0].content',
    });
    expect(error['message']).toBe(
      'No cassette matches this POST /v1/chat/completions. The nearest is "which-site"; first difference at messages[0].content: expected "Which site answers?", found "Which site answered?". Send the recorded request, or add a cassette for this one.',
    );
  });

  it('stays short when the difference is an endless key', async () => {
    const key = 'k'.repeat(90_000);
    const error = await errorOf({ ...ask('Which site answers?'), [key]: 1 });
    expect(error['param']).toMatch(/^k{200}\.\.\.$/);
    expect(String(error['message']).length).toBeLessThan(1000);
  });

  it.each([
    [
      'another model',
      { ...ask('Which site answers?'), model: 'no-such' },
      'model',
      'expected "demo-model", found "no-such"',
    ],
    [
      'no model',
      { messages: ask('Which site answers?').messages },
      'model',
      'expected "demo-model", found nothing',
    ],
    [
      'an added member',
      ask('Which site answers?', { temperature: 1 }),
      'temperature',
      'expected nothing, found 1',
    ],
    ['parts for text', ask([{ type: 'text' }]), 'messages[0].content', 'found array of 1'],
    ['an empty object', {}, 'messages', 'expected array of 1, found nothing and 1 more.'],
  ])('%s', async (_name, body, param, words) => {
    const error = await errorOf(body);
    expect(error).toMatchObject({ status: 404, code: 'vcr_miss', param });
    expect(error['message']).toContain(words);
  });

  it('handles bodies that are JSON but no object', async () => {
    expect(await errorOf('"text"')).toMatchObject({ status: 404, code: 'vcr_miss', param: null });
    expect(await errorOf('null')).toMatchObject({ status: 404, code: 'vcr_miss', param: null });
  });
});

describe('a refused request', () => {
  it.each([
    ['an empty body', '', 400, 'invalid_json'],
    ['malformed JSON', '{"model": "demo-model", ', 400, 'invalid_json'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400, 'invalid_json'],
    ['JSON nested too deeply', `${'['.repeat(50_000)}`.concat(']'.repeat(50_000)), 400, 'json_too_deep'],
    ['a body over the limit', `"${'x'.repeat(200_000)}"`, 413, 'request_too_large'],
  ])('%s', async (_name, body, status, code) => {
    expect(await errorOf(body)).toMatchObject({ status, code });
  });

  it('an unknown path is a 404 that names the known ones, a wrong method a 405', async () => {
    const unknown = await errorOf(ask('hi'), { path: '/v1/chat/completion' });
    expect(unknown).toMatchObject({ status: 404, code: 'unknown_path' });
    expect(unknown['message']).toContain('/v1/chat/completions');
    const wrong = await errorOf(undefined, { method: 'GET' });
    expect(wrong).toMatchObject({ status: 405, code: 'method_not_allowed' });
  });

  it('does not stop the next request, and is logged as no hit', async () => {
    await errorOf('{');
    const { status } = await sendForJson(vcr.port, ask('Count to three.'));
    expect(status).toBe(200);
    const reply = await waitUntil(() => vcr.replies.find((one) => one.status === 400));
    expect(reply).toMatchObject({ cassette: null, hit: false, aborted: false });
    expect(vcr.faults).toEqual([]);
  });
});

describe('built-in routes', () => {
  it('GET /v1/models lists the models of the cassettes; GET /health answers; neither is a reply', async () => {
    const before = vcr.replies.length;
    const models = await sendForJson(vcr.port, undefined, { method: 'GET', path: '/v1/models' });
    const created = Date.parse('2026-11-29T09:00:00.000Z') / 1000;
    const data = [{ id: 'demo-model', object: 'model', created, owned_by: 'switchyard' }];
    expect(models).toMatchObject({ status: 200, json: { object: 'list', data } });
    const health = await sendForJson(vcr.port, undefined, { method: 'GET', path: '/health' });
    expect(health).toMatchObject({ status: 200, json: { status: 'ok' } });
    expect(vcr.replies.length).toBe(before);
  });

  it('a cassette for one of them wins', async () => {
    const chunks = [{ offsetMs: 0, text: '{"recorded":true}' }];
    await using other = await startVcr([cassette({ method: 'GET', path: '/v1/models', body: null, chunks })]);
    const { json } = await sendForJson(other.port, undefined, { method: 'GET', path: '/v1/models' });
    expect(json).toEqual({ recorded: true });
  });
});
