import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type McpBackend, startModernServer } from './support/mcp-servers.ts';
import { startTopology, type Topology } from './support/topology.ts';

const REVISION = '2026-07-28';
/** The second one travels in the header as Base64. */
const TOOLS = ['whoami', 'größe'];

let servers: McpBackend[];
let topology: Topology;

beforeAll(async () => {
  // The server's SDK warns of such names.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  servers = await Promise.all(['a', 'b'].map((name) => startModernServer(name, TOOLS)));
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

async function connect(): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: REVISION } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(`${topology.origin}/mcp`)));
  return client;
}

async function call(client: Client, name: string): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { text: 'x' } });
  const [first] = content as { text: string }[];
  return first?.text ?? '';
}

describe('a client of revision 2026-07-28 through both gateways', () => {
  it('needs no session: every call takes its turn, also of a tool whose name no header can carry', async () => {
    const client = await connect();
    for (const tool of TOOLS) {
      const owners = [await call(client, tool), await call(client, tool), await call(client, tool)];
      expect(new Set(owners)).toEqual(new Set([`a ${tool} x`, `b ${tool} x`]));
    }
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS);
    await client.close();
  });

  it('gets an unknown tool as an error of the protocol', async () => {
    const client = await connect();
    const failure = await call(client, 'whoamI').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProtocolError);
    expect(failure).toMatchObject({ code: -32_602, message: expect.stringContaining('"whoami"') as unknown });
    await client.close();
  });

  it('is refused when headers and body disagree, before any provider sees it', async () => {
    const before = servers.map(({ seen }) => seen.length);
    const reply = await fetch(`${topology.origin}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': REVISION,
        'mcp-method': 'tools/call',
        'mcp-name': 'whoami',
      },
      body: '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"größe"}}',
    });
    expect([reply.status, await reply.json()]).toMatchObject([400, { id: 'x', error: { code: -32_020 } }]);
    expect(servers.map(({ seen }) => seen.length)).toEqual(before);
  });

  it('GET and DELETE get the server’s own 405', async () => {
    for (const method of ['GET', 'DELETE']) {
      const reply = await fetch(`${topology.origin}/mcp`, {
        method,
        headers: { accept: 'text/event-stream' },
      });
      expect(reply.status).toBe(405);
    }
  });
});
