import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A chat backend that calls the first tool it is offered, and then repeats what the tool said. */
export interface ToolCaller extends AsyncDisposable {
  readonly origin: string;
}

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** Starts a {@link ToolCaller}. */
export async function startToolCaller(): Promise<ToolCaller> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(asked)));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer({ messages, tools }: Asked): object {
  const said = messages.findLast(({ role }) => role === 'tool');
  const name = tools?.[0]?.function.name ?? 'none';
  const call = { id: 'call_1', type: 'function', function: { name, arguments: '{"place":"Zürich"}' } };
  const message =
    said === undefined
      ? { role: 'assistant', content: null, tool_calls: [call] }
      : { role: 'assistant', content: `The tool said ${String(said.content)}` };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_767_225_600,
    model: 'demo-model',
    choices: [{ index: 0, message, finish_reason: said === undefined ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
