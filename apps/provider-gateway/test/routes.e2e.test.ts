import {
  type AppProcess,
  type FaultUpstream,
  rawHttp,
  startApp,
  startFaultUpstream,
} from '@switchyard/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BODY, config, HOP } from './helpers.ts';

const STORED = ['/v1/responses/{id}', '/v1/responses/{id}/cancel', '/v1/responses/{id}/input_items'];
const routes = [
  {
    candidateId: 'model-1',
    model: 'demo-model',
    paths: ['/v1/responses', ...STORED, '/v1/audio/transcriptions', '/v1/messages', '/custom/chat'],
    cluster: 'backend',
  },
  { candidateId: 'tool-1', model: 'search', paths: ['/mcp'], cluster: 'backend' },
];

let backend: FaultUpstream;
let gateway: AppProcess;

beforeAll(async () => {
  backend = await startFaultUpstream({ name: 'backend' });
  gateway = await startApp({ app: 'provider-gateway', config: config(backend, { routes }) });
});
afterEach(() => backend.reset());
afterAll(async () => {
  await gateway.stop();
  await backend.close();
});

interface Asked {
  readonly candidate?: string;
  readonly method?: string;
  readonly body?: string | FormData;
  readonly headers?: Record<string, string>;
}

function ask(path: string, { candidate = 'model-1', method = 'POST', body, headers = {} }: Asked = {}) {
  const { 'content-type': type, ...hop } = HOP;
  return fetch(`http://127.0.0.1:${gateway.port('proxy')}${path}`, {
    method,
    headers: {
      ...hop,
      ...(typeof body === 'string' ? { 'content-type': type } : {}),
      'x-ai-routing-candidate': candidate,
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

const call = (name: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 41, method: 'tools/call', params: { name } });

describe('every route of the APIs', () => {
  it('the place for an id is no path of its own, though the policy lists it', async () => {
    const answer = await rawHttp(
      gateway.port('proxy'),
      [
        'POST /v1/responses/{id} HTTP/1.1',
        'Host: x',
        'Connection: close',
        'x-ai-routing-candidate: model-1',
        'x-ai-routing-request-id: r',
        `Content-Length: ${BODY.length}`,
        '',
        BODY,
      ].join('\r\n'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(backend.requests).toHaveLength(0);
  });

  it('a stored response of another model than the header names is not the candidate’s to serve', async () => {
    expect(
      (await ask('/v1/responses/resp_1', { method: 'GET', headers: { 'x-model': 'other' } })).status,
    ).toBe(404);
  });

  it.each([
    ['GET', '/v1/responses/resp_1?stream=true'],
    ['DELETE', '/v1/responses/resp_1'],
    ['POST', '/v1/responses/resp_1/cancel'],
    ['GET', '/v1/responses/resp_1/input_items'],
  ])('%s %s names no model and is served by the candidate', async (method, path) => {
    expect((await ask(path, { method })).status).toBe(200);
    expect(backend.requests[0]).toMatchObject({ method, path });
    expect(backend.requests[0]?.header('content-length')).toBe(method === 'POST' ? '0' : undefined);
  });

  it('a form goes on byte for byte, and its model is judged', async () => {
    const form = (model: string): FormData => {
      const data = new FormData();
      data.append('file', new Blob([new Uint8Array([0, 13, 10, 45, 45, 255])]), 'a.wav');
      data.append('model', model);
      return data;
    };
    expect((await ask('/v1/audio/transcriptions', { body: form('demo-model') })).status).toBe(200);
    expect(backend.requests[0]?.body.includes(Buffer.from([0, 13, 10, 45, 45, 255]))).toBe(true);
    const refused = await ask('/v1/audio/transcriptions', { body: form('other') });
    expect([refused.status, await codeOf(refused)]).toEqual([404, 'model_not_allowed']);
  });

  it('a path that no API has takes a JSON body', async () => {
    expect((await ask('/custom/chat', { body: BODY })).status).toBe(200);
    const refused = await ask('/custom/chat', { method: 'GET' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it.each(['/v1/responses/{id}', '/v1/responses/a/b', '/v1/responses/%72', '/v1/responses/..'])(
    'GET %s is not taken for a stored response',
    async (path) => {
      expect((await ask(path, { method: 'GET' })).status).toBe(404);
      expect(backend.requests).toHaveLength(0);
    },
  );

  it('errors are in the words of the API that was called', async () => {
    const anthropic = await ask('/v1/messages', { body: '{"model":"other"}' });
    expect(anthropic.headers.get('request-id')).toBe('req-1');
    expect(await anthropic.json()).toMatchObject({
      type: 'error',
      error: { type: 'not_found_error' },
      request_id: 'req-1',
    });
  });
});

describe('MCP', () => {
  it.each([
    ['initialize', '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'],
    ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
    ['a call of its tool', call('search')],
  ])('%s is served', async (_what, body) => {
    expect((await ask('/mcp', { candidate: 'tool-1', body })).status).toBe(200);
    expect(backend.requests[0]?.body.toString()).toBe(body);
  });

  it.each(['GET', 'DELETE'])('%s passes with its session', async (method) => {
    const headers = { 'mcp-session-id': 's-1', 'last-event-id': '7' };
    expect((await ask('/mcp', { candidate: 'tool-1', method, headers })).status).toBe(200);
    expect(backend.requests[0]?.header('mcp-session-id')).toBe('s-1');
    expect(backend.requests[0]?.header('last-event-id')).toBe('7');
  });

  it('a call of another tool, or a header that disagrees, is refused in JSON-RPC', async () => {
    const other = await ask('/mcp', { candidate: 'tool-1', body: call('delete') });
    expect(await other.json()).toMatchObject({ id: 41, error: { data: { code: 'model_not_allowed' } } });
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': 'search' };
    const liar = await ask('/mcp', { candidate: 'tool-1', body: call('delete'), headers });
    expect([liar.status, await liar.json()]).toMatchObject([400, { id: 41, error: { code: -32_020 } }]);
    expect(backend.requests).toHaveLength(0);
  });
});

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code;
}
