import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { errorReply, messageEvents, responseEvents, responseObject, SPEECH } from './ai-replies.ts';

/** One request as the backend saw it. */
interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A backend with the stateful and the binary half of the AI APIs, on a real socket. */
export interface AiBackend extends AsyncDisposable {
  readonly origin: string;
  readonly name: string;
  readonly seen: readonly SeenRequest[];
}

/** Starts a backend. What it holds (stored responses) it holds alone, as real providers do. */
export async function startAiBackend(name: string): Promise<AiBackend> {
  const stored = new Map<string, object>();
  const seen: SeenRequest[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    const exchange = { method, path, headers, body: Buffer.concat(chunks) };
    seen.push(exchange);
    answer({ name, stored }, exchange, response);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    name,
    seen,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface State {
  readonly name: string;
  readonly stored: Map<string, object>;
}

function answer(state: State, request: SeenRequest, response: ServerResponse): void {
  const [path = ''] = request.path.split('?');
  if (path === '/v1/responses') createResponse(state, request, response);
  else if (path.startsWith('/v1/responses/')) storedResponse(state, request, response);
  else if (path === '/v1/embeddings') {
    const bytes = Buffer.from(new Float32Array([0.25, -1.5]).buffer);
    const embedding =
      wanted(request)['encoding_format'] === 'base64' ? bytes.toString('base64') : [0.25, -1.5];
    json(response, 200, { object: 'list', data: [{ object: 'embedding', index: 0, embedding }], model: 'm' });
  } else if (path === '/v1/audio/transcriptions') {
    json(response, 200, { text: `${state.name} heard ${request.body.length} bytes` });
  } else if (path === '/v1/audio/speech') {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': SPEECH.length }).end(SPEECH);
  } else if (path === '/v1/messages/count_tokens') json(response, 200, { input_tokens: 7 });
  else if (path === '/v1/messages') message(state, request, response);
  else json(response, 404, errorReply(`${state.name} has no ${path}`, 'not_here'));
}

function createResponse({ name, stored }: State, request: SeenRequest, response: ServerResponse): void {
  const asked = wanted(request);
  const previous = asked['previous_response_id'];
  if (typeof previous === 'string' && !stored.has(previous)) {
    json(response, 404, errorReply(`${name} has no response ${previous}`, 'previous_response_not_found'));
    return;
  }
  const id = `resp_${name}_${stored.size + 1}`;
  const made = responseObject({ id, text: `${name} answers`, previous });
  stored.set(id, made);
  if (asked['stream'] === true) events(response, responseEvents(made));
  else if (asked['metadata'] !== undefined) {
    const body = gzipSync(JSON.stringify(made));
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
  } else json(response, 200, made);
}

function storedResponse({ name, stored }: State, request: SeenRequest, response: ServerResponse): void {
  const [, , , id = '', more] = request.path.split(/[/?]/);
  const found = stored.get(id);
  if (found === undefined) json(response, 404, errorReply(`${name} has no response ${id}`, 'not_found'));
  else if (more === 'input_items') json(response, 200, { object: 'list', data: [], has_more: false });
  else if (request.method === 'DELETE') {
    stored.delete(id);
    json(response, 200, { id, object: 'response', deleted: true });
  } else json(response, 200, more === 'cancel' ? { ...found, status: 'cancelled' } : found);
}

function message({ name }: State, request: SeenRequest, response: ServerResponse): void {
  if (wanted(request)['max_tokens'] === 529) {
    const error = { type: 'overloaded_error', message: `${name} is overloaded` };
    json(response, 529, { type: 'error', error, request_id: 'req_theirs' }, { 'request-id': 'req_theirs' });
  } else if (wanted(request)['stream'] === true) events(response, messageEvents(`${name} answers`));
  else {
    json(response, 200, {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: `${name} answers` }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 2 },
    });
  }
}

function wanted(request: SeenRequest): Record<string, unknown> {
  return JSON.parse(request.body.toString()) as Record<string, unknown>;
}

function json(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function events(response: ServerResponse, all: readonly object[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of all) {
    const { type } = event as { type: string };
    response.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}
