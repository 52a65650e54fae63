import {
  Client as DualClient,
  StreamableHTTPClientTransport as DualTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { LoggingMessageNotificationSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { waitUntil } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpBackend, startSessionServer } from './support/mcp-servers.ts';
import { startTopology, type Topology } from './support/topology.ts';

const TOOLS = ['whoami', 'echo'];

let servers: McpBackend[];
let topology: Topology;

beforeAll(async () => {
  servers = await Promise.all(['a', 'b'].map((name) => startSessionServer(name, TOOLS)));
  topology = await startTopology({
    kind: 'mcp_tool',
    names: TOOLS,
    paths: ['/mcp'],
    backends: servers.map(({ origin }) => origin),
  });
});
afterAll(async () => {
  await topology[Symbol.asyncDispose]();
  for (const server of servers) await server[Symbol.asyncDispose]();
});

interface Session extends AsyncDisposable {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** What the server said on its own. */
  readonly notes: string[];
}

async function connect(): Promise<Session> {
  const transport = new StreamableHTTPClientTransport(new URL(`${topology.origin}/mcp`));
  const client = new Client({ name: 'test', version: '1.0.0' });
  const notes: string[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    notes.push(String(params.data));
  });
  await client.connect(transport as Transport);
  return { client, transport, notes, [Symbol.asyncDispose]: () => client.close() };
}

async function call(client: Client, name: string, text = 'x'): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { text } });
  return (content as { text: string }[])[0]?.text ?? '';
}

describe('an MCP session of the SDK through both gateways', () => {
  it('stays with the provider that began it: calls of every tool, lists, and the stream of the server', async () => {
    const owners = new Set<string>();
    for (let round = 0; round < 4; round++) {
      await using session = await connect();
      const owner = session.transport.sessionId?.[0] ?? '';
      owners.add(owner);
      for (const tool of [...TOOLS, ...TOOLS])
        expect(await call(session.client, tool)).toBe(`${owner} ${tool} x`);
      expect((await session.client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS);
      await session.client.ping();
      expect(await waitUntil(() => session.notes[0])).toBe(`${owner} was asked`);
    }
    // Beginning a session takes its turn like any request: both providers got some.
    expect([...owners].sort()).toEqual(['a', 'b']);
    expect(servers.every(({ seen }) => seen.some(({ method }) => method === 'GET'))).toBe(true);
  });

  it('is ended where it is', async () => {
    await using session = await connect();
    const { sessionId = '' } = session.transport;
    const owner = servers.find(({ name }) => sessionId.startsWith(name));
    await session.transport.terminateSession();
    expect(owner?.seen.at(-1)).toEqual({ method: 'DELETE', session: sessionId });
  });

  it('an unknown tool is an error of the protocol that names the close one, and the session lives on', async () => {
    await using session = await connect();
    await call(session.client, 'whoami');
    // The stream of the server is open by now, so that no more requests come by themselves.
    await waitUntil(() => session.notes[0]);
    const before = servers.map(({ seen }) => seen.length);
    const failure = await call(session.client, 'whoamI').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(McpError);
    expect(failure).toMatchObject({ code: -32_602, message: expect.stringContaining('"whoami"') as unknown });
    expect(servers.map(({ seen }) => seen.length)).toEqual(before);
    expect(await call(session.client, 'whoami')).toContain('whoami');
  });

  it('a client that asks first which era it is finds the sessions, and stays', async () => {
    const client = new DualClient(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' } },
    );
    const transport = new DualTransport(new URL(`${topology.origin}/mcp`));
    await client.connect(transport);
    const owner = transport.sessionId?.[0] ?? 'no session';
    for (const name of [...TOOLS, ...TOOLS]) {
      const { content } = await client.callTool({ name, arguments: { text: 'x' } });
      expect(content).toEqual([{ type: 'text', text: `${owner} ${name} x` }]);
    }
    await client.close();
  });

  it('a session that nobody has is the provider’s 404, by which clients begin anew', async () => {
    const reply = await fetch(`${topology.origin}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': 'gone',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect([reply.status, await reply.json()]).toMatchObject([404, { error: { code: -32_001 } }]);
  });
});
