import { describe, expect, it } from 'vitest';
import { commitPoint, matchApiRoute } from '../../src/index.ts';

const EVENTS = ['Content-Type', 'text/event-stream; charset=utf-8'];

describe('the head of an answer is passed on', () => {
  it.each([
    ['at once, of an event stream of MCP', '/mcp', EVENTS, 'commit_at_head'],
    ['with its first byte, of another answer of MCP', '/mcp', ['content-type', 'application/json'], 'commit'],
    ['with its first byte, of one without a type', '/mcp', [], 'commit'],
    ['with its first byte, of every other stream', '/v1/chat/completions', EVENTS, 'commit'],
  ])('%s', (_what, path, headers, expected) => {
    const matched = matchApiRoute(path);
    expect(matched && commitPoint(matched.route, headers)).toBe(expected);
  });
});
