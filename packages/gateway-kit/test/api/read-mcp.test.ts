import { describe, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';

const target = '/mcp';
const call = (name: unknown, more: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { arguments: {}, name }, ...more });
const request = (method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 'a', method, ...(params === undefined ? {} : { params }) });

describe('what an MCP request asks for', () => {
  it('is the tool that it calls', () => {
    expect(ask(call('search'), { target })).toEqual({
      ok: true,
      asked: {
        kind: 'mcp_tool',
        name: 'search',
        stateKey: undefined,
        streamed: false,
        openEnded: false,
        repeatable: false,
        rpcId: '7',
      },
    });
  });

  it('is no tool otherwise, and what only asks may be asked twice', () => {
    for (const method of ['initialize', 'ping', 'tools/list', 'resources/read', 'server/discover']) {
      expect(ask(request(method), { target })).toMatchObject({
        asked: { name: undefined, repeatable: true },
      });
    }
    for (const method of ['notifications/cancelled', 'tasks/cancel', 'something/else']) {
      expect(ask(request(method), { target })).toMatchObject({ asked: { repeatable: false } });
    }
  });

  it('is nothing that arguments or other parts name', () => {
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"name":"x"},"name":"t"},"x":{"method":"y"}}';
    expect(ask(body, { target })).toMatchObject({ asked: { name: 't' } });
  });

  it.each(['GET', 'DELETE'])('%s goes to the session', (method) => {
    const result = ask('', { target, method, headers: ['Mcp-Session-Id', 's-1'] });
    expect(result).toMatchObject({
      asked: { name: undefined, stateKey: 'mcp_session:s-1', streamed: method === 'GET' },
    });
  });

  it('a stream of the server may stay silent', () => {
    const opened = { asked: { openEnded: true, streamed: true, repeatable: true } };
    expect(ask('', { target, method: 'GET' })).toMatchObject(opened);
    expect(ask(request('subscriptions/listen'), { target })).toMatchObject(opened);
    expect(ask(request('tools/list'), { target })).toMatchObject({ asked: { openEnded: false } });
  });

  it('a response of the client and a notification are messages as well', () => {
    expect(ask('{"jsonrpc":"2.0","id":3,"result":{}}', { target })).toMatchObject({ ok: true });
    expect(ask('{"jsonrpc":"2.0","method":"notifications/initialized"}', { target })).toMatchObject({
      asked: { name: undefined, rpcId: 'null' },
    });
  });

  it.each([
    ['"a\\"b"', '"a\\"b"'],
    ['12345678901234567890123', '12345678901234567890123'],
    ['null', 'null'],
    ['{"x":1}', 'null'],
  ])('the id %s is answered as %s', (id, expected) => {
    const body = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t"}}`;
    expect(ask(body, { target })).toMatchObject({ asked: { rpcId: expected } });
  });

  const refused: [what: string, body: string, code: string, rpcId: string][] = [
    ['no body', '', 'invalid_json', 'null'],
    ['no JSON', '{"jsonrpc"', 'invalid_json', 'null'],
    ['no JSON-RPC', '{"id":7,"method":"ping"}', 'invalid_message', '7'],
    ['another version', '{"jsonrpc":"1.0","id":7,"method":"ping"}', 'invalid_message', '7'],
    ['a method that is no string', '{"jsonrpc":"2.0","id":7,"method":1}', 'invalid_message', '7'],
    [
      'two methods',
      '{"jsonrpc":"2.0","id":7,"method":"tools/list","method":"tools/call"}',
      'invalid_message',
      '7',
    ],
    [
      'two tools',
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","name":"b"}}',
      'invalid_message',
      '7',
    ],
    ['no tool', call(undefined), 'invalid_tool', '7'],
    ['no params', request('tools/call'), 'invalid_tool', '"a"'],
    ['a tool that is no string', call(1), 'invalid_tool', '7'],
    ['a blank tool', call(' '), 'invalid_tool', '7'],
    ['a tool of 257 bytes', call('t'.repeat(257)), 'invalid_tool', '7'],
  ];
  it.each(refused)('cannot be told from %s', (_what, body, code, rpcId) => {
    expect(ask(body, { target })).toMatchObject({ ok: false, problem: { code, rpcId } });
  });
});

describe('a message in which only Go sees a call', () => {
  it.each([
    '{"jsonrpc":"2.0","id":1,"Method":"tools/call","params":{"name":"forbidden"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","NAME":"forbidden"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"},"Params":{"name":"forbidden"}}',
  ])('is refused: %s', (body) => {
    expect(ask(body, { target })).toMatchObject({ ok: false, problem: { code: 'invalid_message' } });
  });
});

describe('a batch', () => {
  it('is looked at as it was sent: a method that stands twice is refused there as well', () => {
    const twice =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping","params":{"name":"forbidden"}}';
    expect(ask(`[${twice}]`, { target })).toMatchObject({ ok: false, problem: { code: 'invalid_message' } });
    const name = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forbidden","name":"t"}}';
    expect(ask(`[${name}]`, { target })).toMatchObject({ ok: false, problem: { code: 'invalid_message' } });
  });

  it('asks for the one tool that it calls', () => {
    const result = ask(`[${request('tools/list')},${call('t')},${call('t')}]`, { target });
    expect(result).toMatchObject({ asked: { name: 't', repeatable: false, rpcId: 'null' } });
    expect(ask(` \n[${request('ping')}]`, { target })).toMatchObject({ asked: { repeatable: true } });
  });

  it.each([
    ['is empty', '[]'],
    ['calls two tools', `[${call('a')},${call('b')}]`],
    ['has something else inside', '[1]'],
    ['is too long', `[${request('ping', { pad: 'x'.repeat(1_048_576) })}]`],
  ])('that %s is refused', (_what, body) => {
    expect(ask(body, { target })).toMatchObject({ ok: false, problem: { code: 'invalid_message' } });
  });

  it('that is no JSON is refused', () => {
    expect(ask('[{]', { target })).toMatchObject({ problem: { code: 'invalid_json' } });
  });
});

describe('the headers of revision 2026-07-28', () => {
  const headers = (method: string, name?: string): string[] => [
    ...['MCP-Protocol-Version', '2026-07-28', 'Mcp-Method', method],
    ...(name === undefined ? [] : ['Mcp-Name', name]),
  ];
  const sentinel = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  const agreeing: [what: string, body: string, headers: string[]][] = [
    ['method and tool', call('t'), headers('tools/call', 't')],
    ['a tool in Base64', call('wetter_größe'), headers('tools/call', sentinel('wetter_größe'))],
    ['a resource', request('resources/read', { uri: 'file:///a' }), headers('resources/read', 'file:///a')],
    ['a method without a name', request('tools/list'), headers('tools/list')],
    ['a name where there is none to name', request('tools/list'), headers('tools/list', 'x')],
  ];
  it.each(agreeing)('agree: %s', (_what, body, raw) => {
    expect(ask(body, { target, headers: raw })).toMatchObject({ ok: true });
  });

  const disagreeing: [what: string, body: string, headers: string[]][] = [
    ['another method', request('tools/list'), headers('tools/call', 't')],
    ['another tool', call('t'), headers('tools/call', 'u')],
    ['another tool, without the method', call('t'), ['Mcp-Name', 'u']],
    ['another case', call('T'), headers('tools/call', 't')],
    ['no name beside a call', call('t'), headers('tools/call')],
    ['a body without method', '{"jsonrpc":"2.0","id":3,"result":{}}', headers('tools/call', 't')],
    ['a batch', `[${call('t')}]`, headers('tools/call', 't')],
    ['two methods', call('t'), [...headers('tools/call', 't'), 'mcp-method', 'tools/call']],
    ['broken Base64', call('t'), headers('tools/call', '=?base64?%?=')],
    ['Base64 of no text', call('t'), headers('tools/call', '=?base64?/w==?=')],
  ];
  it.each(disagreeing)('disagree: %s', (_what, body, raw) => {
    expect(ask(body, { target, headers: raw })).toMatchObject({
      ok: false,
      problem: { code: 'header_mismatch' },
    });
  });
});
