import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as LegacyServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** One request as a server saw it. */
interface McpRequest {
  readonly method: string;
  readonly session: string | undefined;
}

/** A real MCP server on a real socket. */
export interface McpBackend extends AsyncDisposable {
  readonly name: string;
  readonly origin: string;
  readonly seen: readonly McpRequest[];
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A server of the revisions with sessions: what it knows of a client it knows alone. */
export function startSessionServer(name: string, tools: readonly string[]): Promise<McpBackend> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return listen(name, async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}');
      return;
    }
    await (known ?? (await openSession({ name, tools }, sessions))).handleRequest(request, response);
  });
}

async function openSession(
  { name, tools }: { name: string; tools: readonly string[] },
  sessions: Map<string, StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => `${name}-${randomUUID()}`,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  const server = new LegacyServer({ name, version: '1.0.0' }, { capabilities: { logging: {} } });
  for (const tool of tools) {
    server.registerTool(tool, { inputSchema: { text: z.string() } }, async ({ text }) => {
      // Not tied to this request: it travels on the stream that GET opened.
      await server.server.sendLoggingMessage({ level: 'info', data: `${name} was asked` });
      return { content: [{ type: 'text', text: `${name} ${tool} ${text}` }] };
    });
  }
  // The SDK's class and its interface differ in how they write an optional member.
  await server.connect(transport as Transport);
  return transport;
}

/** A server of revision 2026-07-28: no sessions, headers that name method and tool, and a check that they agree. */
export function startModernServer(name: string, tools: readonly string[]): Promise<McpBackend> {
  const handler = toNodeHandler(
    createMcpHandler(
      () => {
        const server = new McpServer({ name, version: '1.0.0' });
        for (const tool of tools) {
          server.registerTool(tool, { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
            content: [{ type: 'text', text: `${name} ${tool} ${text}` }],
          }));
        }
        return server;
      },
      { legacy: 'reject' },
    ),
  );
  // The adapter's view of a request and Node's own differ in how they write optional members.
  return listen(name, handler as Handle);
}

async function listen(name: string, handle: Handle): Promise<McpBackend> {
  const seen: McpRequest[] = [];
  const server = createServer((request, response) => {
    const { 'mcp-session-id': session } = request.headers;
    seen.push({ method: request.method ?? '', session: session?.toString() });
    void handle(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    name,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
