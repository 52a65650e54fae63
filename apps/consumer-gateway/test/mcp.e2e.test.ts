import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, ask, getJson, type Reply } from './support/client.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { candidate } from './support/overlay.ts';

/** Served by a and b alike, but `alone` by b only. */
const candidates = [
  candidate('provider-a', { kind: 'mcp_tool', name: 'search' }),
  candidate('provider-b', { kind: 'mcp_tool', name: 'search' }),
  candidate('provider-b', { kind: 'mcp_tool', name: 'alone' }),
];
const CALL = '{"jsonrpc":"2.0","id":41,"method":"tools/call","params":{"name":"search"}}';
const LIST = '{"jsonrpc":"2.0","id":42,"method":"tools/list"}';

const IDLE_MS = 1000;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    clusters: ['provider-a', 'provider-b'],
    candidates,
    routing: { viability: { enabled: false } },
    config: { timeouts: { idleMs: IDLE_MS } },
  });
});
afterEach(() => {
  for (const name of ['provider-a', 'provider-b']) gateway.upstream(name).reset();
});
afterAll(() => gateway[Symbol.asyncDispose]());

function mcp(body: string, more: Ask = {}): Promise<Reply> {
  return ask(gateway.app.port('proxy'), { path: '/mcp', body, ...more });
}

function everywhere(mode: Parameters<ReturnType<TestGateway['upstream']>['setMode']>[0]): void {
  for (const name of ['provider-a', 'provider-b']) gateway.upstream(name).setMode(mode);
}

function calls(): number {
  return ['provider-a', 'provider-b'].reduce((sum, name) => sum + gateway.upstream(name).requests.length, 0);
}

describe('a tool call', () => {
  it('takes its turn, and goes on byte for byte', async () => {
    const served = [await mcp(CALL), await mcp(CALL)].map(({ headers }) => headers['x-switchyard-provider']);
    expect(served.sort()).toEqual(['provider-a', 'provider-b']);
    expect(gateway.upstream('provider-a').requests[0]?.body.toString()).toBe(CALL);
  });

  it.each(['reset', 'status:503', 'status:500'] as const)(
    'is not made twice: after %s it may have been carried out',
    async (mode) => {
      everywhere(mode);
      await mcp(CALL);
      expect(calls()).toBe(1);
    },
  );

  it('what only asks is asked of the next provider', async () => {
    everywhere('status:503');
    await mcp(LIST);
    expect(calls()).toBe(2);
  });

  it.each([
    ['no JSON', '{', 400, null, -32_700],
    ['no tool', '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{}}', 400, 'x', -32_602],
    ['an unknown tool', CALL.replace('search', 'serch'), 200, 41, -32_602],
    ['an empty batch', '[]', 400, null, -32_600],
  ])('%s is an error of JSON-RPC that reaches nobody', async (_what, body, status, id, code) => {
    const reply = await mcp(body);
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.text)).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
    expect(calls()).toBe(0);
  });

  it('a provider that fails is told in JSON-RPC too', async () => {
    everywhere('reset');
    const reply = await mcp(CALL);
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([
      502,
      { id: 41, error: { code: -32_603, data: { code: 'upstream_reset' } } },
    ]);
  });

  it.each(['PUT', 'PATCH', 'HEAD'])('%s is refused with the methods that there are', async (method) => {
    const reply = await mcp('', { method });
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'POST, GET, DELETE']);
  });
});

describe('a session', () => {
  const session = { headers: { 'mcp-session-id': 's-1' } };

  it('is learned from whoever went on with it, and does not leave it', async () => {
    const owner = (await mcp(LIST, session)).headers['x-switchyard-provider'];
    for (let n = 0; n < 4; n++) {
      const reply = await mcp(CALL, session);
      expect(reply.headers['x-switchyard-provider']).toBe(owner);
    }
    everywhere('status:503');
    const before = calls();
    expect((await mcp(LIST, session)).status).toBe(503);
    expect(calls()).toBe(before + 1);
  });

  it('whose provider does not have the tool is told so, by nobody’s call', async () => {
    // Begun anew until its turn is that of the one without the tool.
    let id = 0;
    let reply: Reply;
    do {
      id++;
      reply = await mcp(LIST, { headers: { 'mcp-session-id': `fresh-${id}` } });
    } while (reply.headers['x-switchyard-provider'] !== 'provider-a');
    const before = calls();
    const refused = await mcp(CALL.replace('search', 'alone'), {
      headers: { 'mcp-session-id': `fresh-${id}` },
    });
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      503,
      { id: 41, error: { data: { code: 'state_unavailable' } } },
    ]);
    expect(calls()).toBe(before);
  });

  it('its key is shown nowhere', async () => {
    await mcp(CALL, { headers: { 'mcp-session-id': 'very-secret-session' } });
    const { json } = await getJson(gateway.app.port('admin'), '/admin/routes');
    expect(JSON.stringify(json)).not.toContain('very-secret-session');
    expect(gateway.app.stdout.concat(gateway.app.stderr).join()).not.toContain('very-secret-session');
  });
});

describe('the stream of the server', () => {
  /** Opens a request whose answer begins and then stays silent; tells when its connection goes away. */
  function open(body: string): Promise<{ gone: Promise<void>; leave: () => void }> {
    return new Promise((resolve, reject) => {
      const port = gateway.app.port('proxy');
      const headers = { 'content-type': 'application/json' };
      const request = http.request({ port, path: '/mcp', method: 'POST', headers }, (response) => {
        response.on('error', () => {}).resume();
        const gone = new Promise<void>((left) => {
          response.once('close', left);
        });
        resolve({ gone, leave: () => request.destroy() });
      });
      request.on('error', reject).end(body);
    });
  }

  it('opens at once and may stay silent, while the answer to a call may not', async () => {
    everywhere('stall:0');
    // The upstream answers with events to what has this member, and JSON-RPC lets it pass.
    const streamed = (message: string): string => message.replace('{', '{"stream":true,');
    const stream = await open(streamed('{"jsonrpc":"2.0","id":43,"method":"subscriptions/listen"}'));
    const call = await open(streamed(CALL));
    let closed = false;
    void stream.gone.then(() => {
      closed = true;
    });
    await call.gone;
    // As long again: what ended the call had time to end the stream.
    await delay(IDLE_MS);
    expect(closed).toBe(false);
    const opened = ['provider-a', 'provider-b']
      .flatMap((name) => gateway.upstream(name).requests)
      .find(({ body }) => body.includes('listen'));
    stream.leave();
    expect(await opened?.over).toBe('aborted');
  });
});
