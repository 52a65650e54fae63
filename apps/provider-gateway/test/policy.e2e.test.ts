import {
  type AppProcess,
  type FaultUpstream,
  rawHttp,
  startApp,
  startFaultUpstream,
  waitUntil,
} from '@switchyard/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BODY, CANDIDATE, CHAT, config, HOP, REVISION } from './helpers.ts';

let backend: FaultUpstream;
let gateway: AppProcess;

beforeAll(async () => {
  backend = await startFaultUpstream({ name: 'backend' });
  gateway = await startApp({
    app: 'provider-gateway',
    config: config(backend, { limits: { requestBodyBytes: 10_000 } }),
  });
});
afterEach(() => backend.reset());
afterAll(async () => {
  await gateway.stop();
  await backend.close();
});

interface Sent {
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** One request; a header given as the empty string is left out. */
function send({ path = CHAT, body = BODY, headers = {} }: Sent = {}): Promise<Response> {
  const all = Object.entries({ ...HOP, ...headers }).filter(([, value]) => value !== '');
  return fetch(`http://127.0.0.1:${gateway.port('proxy')}${path}`, {
    method: 'POST',
    headers: Object.fromEntries(all),
    body,
  });
}

async function code(response: Response): Promise<string> {
  const { error } = (await response.json()) as {
    error: { code: string; message: string; type: string; param: unknown };
  };
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type']);
  return error.code;
}

describe('the exact policy', () => {
  it('forwards what matches candidate, model and path, byte for byte', async () => {
    const response = await send();
    expect(response.status).toBe(200);
    expect(backend.requests[0]?.body.toString()).toBe(BODY);
    expect(backend.requests[0]?.path).toBe(CHAT);
  });

  it.each([
    [403, 'invalid_hop_headers', { headers: { 'x-ai-routing-candidate': '' } }],
    [403, 'invalid_hop_headers', { headers: { 'x-ai-routing-candidate': 'x'.repeat(257) } }],
    [403, 'invalid_hop_headers', { headers: { 'x-ai-routing-request-id': '' } }],
    [403, 'invalid_hop_headers', { headers: { 'x-ai-routing-revision': 'A'.repeat(64) } }],
    [403, 'invalid_hop_headers', { headers: { 'x-ai-routing-revision': 'abc' } }],
    [403, 'unknown_candidate', { headers: { 'x-ai-routing-candidate': 'deadbeef' } }],
    [404, 'path_not_allowed', { path: '/v1/embeddings' }],
    [404, 'path_not_allowed', { path: `${CHAT}/` }],
    [404, 'path_not_allowed', { path: '/v1/%63hat/completions' }],
    [404, 'model_not_allowed', { body: '{"model":"demo-model-2"}' }],
    [400, 'invalid_model', { body: '{"model":"demo-model","model":"other"}' }],
    [400, 'missing_model', { body: '{"messages":[]}' }],
    [400, 'model_mismatch', { headers: { 'x-model': 'other' } }],
    [404, 'model_not_allowed', { body: '{"messages":[]}', headers: { 'x-model': 'other' } }],
    [400, 'invalid_json', { headers: { 'content-type': 'application/json; charset=utf-7' } }],
    [415, 'unsupported_content_encoding', { headers: { 'content-encoding': 'deflate' } }],
    [400, 'invalid_model', { body: '{"model":7}' }],
    [400, 'invalid_model', { body: '{"model":" "}' }],
    [400, 'invalid_json', { body: '{"model":"demo-model"' }],
    [400, 'invalid_json', { body: '' }],
    [413, 'request_too_large', { body: JSON.stringify({ model: 'demo-model', pad: 'x'.repeat(10_000) }) }],
  ] as const)('%i %s: %j', async (status, expected, sent) => {
    const response = await send(sent);
    expect(response.status).toBe(status);
    expect(await code(response)).toBe(expected);
    expect(backend.requests).toHaveLength(0);
  });

  it('a model that stands in the header alone is the one that is served', async () => {
    expect((await send({ body: '{"messages":[]}', headers: { 'x-model': 'demo-model' } })).status).toBe(200);
    expect(backend.requests[0]?.header('x-model')).toBe('demo-model');
  });

  it('a missing revision is an older peer and fine', async () => {
    expect((await send({ headers: { 'x-ai-routing-revision': '' } })).status).toBe(200);
    expect(backend.requests[0]?.header('x-ai-provider-routing-revision')).toBeUndefined();
  });

  it('keeps the query string, which is no part of the match, but for keys in it', async () => {
    expect((await send({ path: `${CHAT}?a=%20b&key=secret` })).status).toBe(200);
    expect(backend.requests[0]?.path).toBe(`${CHAT}?a=%20b`);
  });
});

describe('headers towards the backend', () => {
  it('hop headers, forged attribution and every credential are gone; attribution is ours', async () => {
    await send({
      headers: {
        authorization: 'Bearer client-secret',
        cookie: 'session=secret',
        'x-api-key': 'secret',
        'api-key': 'secret',
        'x-ai-provider-attribution': 'forged',
        'x-ai-routing-anything': 'forged',
        'x-switchyard-provider': 'forged',
        'x-harmless': 'kept',
      },
    });
    const seen = backend.requests[0];
    const names = (seen?.rawHeaders ?? [])
      .filter((_, index) => index % 2 === 0)
      .map((name) => name.toLowerCase());
    expect(
      names.filter((name) =>
        /^(x-ai-routing|x-switchyard|authorization|cookie|x-api-key|api-key)/.test(name),
      ),
    ).toEqual([]);
    expect(seen?.header('x-ai-provider-attribution')).toBe('provider-a');
    expect(names.filter((name) => name === 'x-ai-provider-attribution')).toHaveLength(1);
    expect(seen?.header('x-ai-provider-request-id')).toBe('req-1');
    expect(seen?.header('x-ai-provider-routing-revision')).toBe(REVISION);
    expect(seen?.header('x-harmless')).toBe('kept');
  });
});

describe('backend trouble', () => {
  it('a backend that resets is a 502, one that answers an error is passed through', async () => {
    // Every time: a single reset on a used connection is the keep-alive race, which is re-sent.
    backend.setMode('reset');
    const reset = await send();
    expect(reset.status).toBe(502);
    expect(await code(reset)).toBe('backend_unavailable');
    backend.next('status:429:7');
    const limited = await send();
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toBe('7');
  });

  it('a stream that breaks off breaks off for the peer too, and never looks whole', async () => {
    backend.next('cut:2');
    const response = await send({
      body: JSON.stringify({ model: 'demo-model', stream: true, messages: [] }),
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('a peer that leaves aborts the backend, and is canceled in the log', async () => {
    backend.setMode('hang');
    const abort = new AbortController();
    const gone = fetch(`http://127.0.0.1:${gateway.port('proxy')}${CHAT}`, {
      method: 'POST',
      headers: HOP,
      body: BODY,
      signal: abort.signal,
    });
    const seen = await backend.waitForRequest();
    abort.abort();
    await expect(gone).rejects.toThrow();
    expect(await seen.over).toBe('aborted');
    const last = await waitUntil(() =>
      gateway.stdout.findLast((line) => line.includes('"outcome":"canceled"')),
    );
    expect(JSON.parse(last)).toMatchObject({ event: 'request', status: 499, candidateId: CANDIDATE });
  });
});

describe('telling about it', () => {
  it('metrics count denials by reason and know no model but the configured ones', async () => {
    await send({ body: '{"model":"invented-by-a-peer"}' });
    const text = await (await fetch(`http://127.0.0.1:${gateway.port('admin')}/metrics`)).text();
    expect(text).toMatch(/switchyard_provider_denials_total\{reason="model_not_allowed"\} [1-9]/);
    expect(text).toContain('switchyard_provider_requests_total{model="demo-model",outcome="success"}');
    expect(text).not.toContain('invented-by-a-peer');
  });

  it('answers health on its own port, where the control plane asks', async () => {
    expect((await fetch(`http://127.0.0.1:${gateway.port('proxy')}/health`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${gateway.port('admin')}/readyz`)).status).toBe(200);
  });

  it('warns at start that plaintext peers are not authenticated', () => {
    expect(gateway.stderr.join('\n')).toContain('insecure-plaintext');
  });
});

it('bytes that are no request are refused in words, with a line and a count', async () => {
  const answer = await rawHttp(gateway.port('proxy'), 'nonsense\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"code":"malformed_request"');
  await waitUntil(() => gateway.stdout.some((line) => line.includes('"event":"unrouted"')));
  const metrics = await (await fetch(`http://127.0.0.1:${gateway.port('admin')}/metrics`)).text();
  expect(metrics).toMatch(/^switchyard_provider_denials_total\{reason="malformed_request"\} 1$/m);
});
