import { describe, expect, it } from 'vitest';
import { apiError } from '../../src/index.ts';

const error = { status: 404, code: 'model_not_found', message: 'why', param: 'model' };

describe('apiError', () => {
  it('speaks OpenAI: four keys, always', () => {
    const reply = apiError(error, { shape: 'openai', requestId: 'r' });
    expect(JSON.parse(reply.body)).toEqual({
      error: { message: 'why', type: 'invalid_request_error', param: 'model', code: 'model_not_found' },
    });
    expect([reply.status, reply.headers]).toEqual([404, { 'x-request-id': 'r' }]);
  });

  const kinds: [status: number, type: string][] = [
    [400, 'invalid_request_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
    [502, 'api_error'],
    [503, 'overloaded_error'],
    [504, 'timeout_error'],
  ];
  it.each(kinds)('speaks Anthropic: %i is %s', (status, type) => {
    const reply = apiError({ ...error, status }, { shape: 'anthropic', requestId: 'r' });
    expect(JSON.parse(reply.body)).toEqual({
      type: 'error',
      error: { type, message: 'why' },
      request_id: 'r',
    });
    expect(reply.headers).toEqual({ 'request-id': 'r' });
  });

  it('speaks JSON-RPC, with the id as the client wrote it', () => {
    const id = '12345678901234567890123';
    const reply = apiError({ ...error, status: 503, code: 'not_ready' }, { shape: 'json_rpc', rpcId: id });
    expect(reply.body).toBe(
      `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"why","data":{"code":"not_ready"}}}`,
    );
    expect(reply.status).toBe(503);
  });

  it.each([
    ['invalid_json', 400, -32_700],
    ['invalid_message', 400, -32_600],
    ['invalid_tool', 400, -32_602],
    ['header_mismatch', 400, -32_020],
    ['request_too_large', 413, -32_600],
    ['upstream_timeout', 504, -32_603],
  ])('%s is a code of JSON-RPC', (code, status, number) => {
    const reply = apiError({ ...error, code, status }, { shape: 'json_rpc' });
    expect(JSON.parse(reply.body)).toMatchObject({ id: null, error: { code: number } });
    expect(reply.status).toBe(status);
  });

  it('an unknown tool is an answer in band: as 404 it would end the session', () => {
    const reply = apiError({ ...error, code: 'tool_not_found' }, { shape: 'json_rpc', rpcId: '1' });
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.body)).toMatchObject({ id: 1, error: { code: -32_602 } });
  });
});
