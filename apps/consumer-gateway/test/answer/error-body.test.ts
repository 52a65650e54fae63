import { describe, expect, it } from 'vitest';
import { errorBody } from '../../src/answer/error-body.ts';
import { badRequest } from '../../src/answer/gateway-failure.ts';

describe('errorBody', () => {
  it('speaks OpenAI: four keys, always', () => {
    const failure = badRequest('missing_model', 'no model', { param: 'model' });
    expect(JSON.parse(errorBody(failure, 'openai'))).toEqual({
      error: { message: 'no model', type: 'invalid_request_error', param: 'model', code: 'missing_model' },
    });
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
    const failure = badRequest('gateway_error', 'why', { status });
    expect(JSON.parse(errorBody(failure, 'anthropic'))).toEqual({
      type: 'error',
      error: { type, message: 'why' },
    });
  });
});
