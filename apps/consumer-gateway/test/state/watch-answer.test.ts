import { type Asked, matchApiRoute } from '@switchyard/gateway-kit';
import { describe, expect, it } from 'vitest';
import { watchAnswer } from '../../src/state/watch-answer.ts';

interface Answer {
  readonly method?: string;
  readonly status?: number;
  readonly stateKey?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** What is learned from an answer; in brackets what only the client named. */
function learned(path: string, answer: Answer = {}): string[] {
  const { method = 'POST', status = 200, stateKey, headers = [], body } = answer;
  const matched = matchApiRoute(path);
  if (matched === undefined) throw new Error(`${path} is no route`);
  const asked: Asked = {
    kind: 'inference_model',
    name: 'm',
    stateKey,
    streamed: false,
    openEnded: false,
    repeatable: true,
    rpcId: undefined,
  };
  const keys: string[] = [];
  const head = { status, statusMessage: '', headers };
  const onPiece = watchAnswer({ route: matched.route, method, asked, head }, (key, namedBy) => {
    keys.push(namedBy === 'client' ? `(${key})` : key);
  });
  if (body !== undefined) onPiece?.(Buffer.from(body));
  return keys;
}

describe('what an answer tells', () => {
  it('a session that begins', () => {
    expect(learned('/mcp', { headers: ['Mcp-Session-Id', ' s-1 '] })).toEqual(['mcp_session:s-1']);
    expect(learned('/mcp')).toEqual([]);
  });

  it('a session, response or conversation that the provider went on with, so that it must have it', () => {
    expect(learned('/mcp', { stateKey: 'mcp_session:s-1' })).toEqual(['(mcp_session:s-1)']);
    expect(learned('/v1/responses', { stateKey: 'conversation:c', body: '{"id":"resp_1"}' })).toEqual([
      '(conversation:c)',
      'response:resp_1',
    ]);
  });

  it.each([
    ['an error', '/mcp', { status: 404, stateKey: 'mcp_session:s-1' }],
    ['the end of a session', '/mcp', { method: 'DELETE', stateKey: 'mcp_session:s-1' }],
    ['an id on a route that makes no response', '/v1/chat/completions', { body: '{"id":"resp_1"}' }],
    ['a session header outside MCP', '/v1/responses', { headers: ['mcp-session-id', 's'] }],
  ] as const)('nothing: %s', (_what, path, answer) => {
    expect(learned(path, answer)).toEqual([]);
  });
});
