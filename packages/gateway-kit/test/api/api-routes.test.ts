import { describe, expect, it } from 'vitest';
import { API_ROUTES, matchApiRoute } from '../../src/index.ts';

describe('matchApiRoute', () => {
  it.each(API_ROUTES.filter(({ path }) => !path.includes('{')))('knows $path', (route) => {
    expect(matchApiRoute(route.path)).toEqual({ route, id: undefined });
  });

  it.each([
    ['/v1/responses/resp_1', '/v1/responses/{id}'],
    ['/v1/responses/resp_1/cancel', '/v1/responses/{id}/cancel'],
    ['/v1/responses/resp_1/input_items', '/v1/responses/{id}/input_items'],
  ])('%s is %s', (path, template) => {
    const matched = matchApiRoute(path);
    expect([matched?.route.path, matched?.id]).toEqual([template, 'resp_1']);
  });

  it.each([
    '/v1/chat/completions/',
    '/V1/chat/completions',
    '//v1/chat/completions',
    '/v1/responses/',
    '/v1/responses/a/b',
    '/v1/responses/..',
    '/v1/responses/.',
    '/v1/responses/../cancel',
    '/v1/responses/%2e%2e',
    '/v1/responses/{id}',
    `/v1/responses/${'r'.repeat(257)}`,
    '/v1/responses/r/cancel/',
    '/mcp/',
    '/',
    '',
  ])('%s is none of ours', (path) => {
    expect(matchApiRoute(path)).toBeUndefined();
  });
});
