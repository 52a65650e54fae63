import { rawHttp } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, ask, CHAT } from './support/client.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { candidate } from './support/overlay.ts';

let gateway: TestGateway;
let port: number;

beforeAll(async () => {
  gateway = await startGateway({
    candidates: [
      candidate('provider-a'),
      candidate('provider-b', { name: 'drained', admission_state: 'existing_only' }),
      candidate('provider-x', { name: 'elsewhere' }),
    ],
    config: { limits: { requestBodyBytes: 2000, headerBytes: 8192 } },
  });
  port = gateway.app.port('proxy');
});
afterAll(() => gateway[Symbol.asyncDispose]());

interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
}

const cases: [what: string, request: Ask, status: number, code: string, message: RegExp][] = [
  ['malformed JSON', { body: '{"model": "demo-model", ' }, 400, 'invalid_json', /not a JSON object.*byte/],
  ['an empty body', { body: '' }, 400, 'invalid_json', /no body/],
  ['an array', { body: '[]' }, 400, 'invalid_json', /"{"/],
  ['no model', { body: '{"messages":[]}' }, 400, 'missing_model', /names no "model"/],
  ['a number as model', { body: '{"model":7}' }, 400, 'invalid_model', /must be a string, found number/],
  ['an object as model', { body: '{"model":{}}' }, 400, 'invalid_model', /found object/],
  [
    'two models',
    { body: '{"model":"demo-model","\\u006dodel":"x"}' },
    400,
    'invalid_model',
    /more than once/,
  ],
  ['an empty model', { body: '{"model":""}' }, 400, 'invalid_model', /must not be empty/],
  [
    'another model in the header',
    { headers: { 'x-model': 'other' } },
    400,
    'model_mismatch',
    /"other".*"demo-model"/,
  ],
  [
    'an unknown model',
    { body: CHAT.replace('demo-model', 'demo-modle') },
    404,
    'model_not_found',
    /did you mean "demo-model"/,
  ],
  [
    'a model in another case',
    { body: CHAT.replace('demo-model', 'Demo-Model') },
    404,
    'model_not_found',
    /did you mean "demo-model"/,
  ],
  ['a model like nothing', { body: '{"model":"zzzzzzzz"}' }, 404, 'model_not_found', /\/v1\/models/],
  [
    'a model that only bound sessions get',
    { body: '{"model":"drained"}' },
    503,
    'no_viable_provider',
    /takes new requests/,
  ],
  [
    'a model of an unknown cluster',
    { body: '{"model":"elsewhere"}' },
    503,
    'no_viable_provider',
    /takes new requests/,
  ],
  [
    'a body over the limit',
    { body: JSON.stringify({ model: 'demo-model', pad: 'x'.repeat(2000) }) },
    413,
    'request_too_large',
    /2000 bytes/,
  ],
  [
    'a compressed body',
    { headers: { 'content-encoding': 'gzip' } },
    415,
    'unsupported_content_encoding',
    /gzip/,
  ],
  [
    'a form cut off',
    {
      path: '/v1/audio/transcriptions',
      headers: { 'content-type': 'multipart/form-data; boundary=B' },
      body: '--B\r\nContent-Disposition: form-data; name="model"\r\n\r\ndemo-model',
    },
    400,
    'invalid_form',
    /whole multipart form/,
  ],
  [
    'a response that nobody knows',
    { method: 'GET', path: '/v1/responses/resp_1', body: '' },
    404,
    'response_not_found',
    /not known here/,
  ],
  ['GET', { method: 'GET' }, 405, 'method_not_allowed', /use POST/],
  ['POST to the list of models', { path: '/v1/models' }, 405, 'method_not_allowed', /use GET/],
  [
    'DELETE of a model',
    { method: 'DELETE', path: '/v1/models/m', body: '' },
    405,
    'method_not_allowed',
    /use GET/,
  ],
  [
    'a path with a slash at its end',
    { path: '/v1/chat/completions/' },
    404,
    'unknown_path',
    /did you mean \/v1\/chat\/completions/,
  ],
  ['a path that nobody serves', { path: '/v1/fine_tuning/jobs' }, 404, 'unknown_path', /known: /],
];

describe('a bad request', () => {
  it.each(cases)('%s', async (_what, request, status, code, message) => {
    const reply = await ask(port, request);
    expect(reply.status).toBe(status);
    const { error } = JSON.parse(reply.text) as ErrorBody;
    expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code']);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.type).toBe(status < 500 ? 'invalid_request_error' : 'server_error');
    expect(reply.headers['content-type']).toContain('application/json');
    if (status === 503) expect(reply.headers['retry-after']).toBe('5');
    if (status === 405) expect(reply.headers['allow']).toMatch(/^(POST|GET, HEAD)$/);
  });

  it('reaches no provider, and the gateway serves on', async () => {
    const before = gateway.upstream('provider-a').requests.length;
    for (const [, request] of cases) await ask(port, request);
    expect(gateway.upstream('provider-a').requests).toHaveLength(before);
    expect((await ask(port)).status).toBe(200);
  });

  it('may name the model in the header alone, or in both alike', async () => {
    expect((await ask(port, { body: '{}', headers: { 'x-model': 'demo-model' } })).status).toBe(200);
    expect((await ask(port, { headers: { 'x-model': 'demo-model' } })).status).toBe(200);
  });

  it('on /v1/messages is answered in Anthropic’s words', async () => {
    const reply = await ask(port, { path: '/v1/messages', body: '{"model":"nope"}' });
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.text)).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
  });

  it('is not a request in absolute form: it is served, and reaches the provider in origin form', async () => {
    const text = `POST http://any.host/v1/chat/completions?x=1 HTTP/1.1\r\nHost: any.host\r\nConnection: close\r\nContent-Length: ${CHAT.length}\r\n\r\n${CHAT}`;
    expect(await rawHttp(port, text)).toMatch(/^HTTP\/1\.1 200 /);
    expect(gateway.upstream('provider-a').requests.at(-1)?.path).toBe('/v1/chat/completions?x=1');
  });

  it.each([
    ['a target that is no URL', 'GET http://[ HTTP/1.1\r\nHost: x\r\n'],
    ['a target without a path', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n'],
    ['a host that is none', 'GET /v1/models HTTP/1.1\r\nHost: [::1\r\n'],
  ])('%s is a 400 in words', async (_what, head) => {
    const answer = await rawHttp(port, `${head}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"malformed_request"');
  });

  const raw: [what: string, text: string, status: number][] = [
    [
      'two framings',
      'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      400,
    ],
    ['no host', 'POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}', 400],
    [
      'a head over the limit',
      `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Pad: ${'x'.repeat(10_000)}\r\n\r\n`,
      431,
    ],
  ];
  it.each(raw)('%s is refused', async (_what, text, status) => {
    const answer = await rawHttp(port, text.replace('\r\n', '\r\nConnection: close\r\n'));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});
