import http, { type IncomingHttpHeaders } from 'node:http';

/** What a client got. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

/** What a client sends; the default is a chat request for `demo-model`. */
export interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
  readonly agent?: http.Agent;
}

/** The usual body. */
export const CHAT: string = JSON.stringify({
  model: 'demo-model',
  messages: [{ role: 'user', content: 'hi' }],
});
/** The usual body, streamed. */
export const STREAM: string = JSON.stringify({
  model: 'demo-model',
  stream: true,
  messages: [{ role: 'user', content: 'hi' }],
});

/** Sends one request and reads its whole answer. */
export function ask(port: number, options: Ask = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const method = options.method ?? 'POST';
    const request = http.request(
      {
        port,
        host: '127.0.0.1',
        method,
        path: options.path ?? '/v1/chat/completions',
        headers: { 'content-type': 'application/json', ...options.headers },
        ...(options.agent === undefined ? {} : { agent: options.agent }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body,
            text: body.toString(),
          });
        });
      },
    );
    request.on('error', reject);
    request.end(method === 'GET' ? undefined : (options.body ?? CHAT));
  });
}

/** Reads a JSON answer. */
export async function getJson<T = Record<string, unknown>>(
  port: number,
  path: string,
): Promise<{ status: number; json: T }> {
  const { status, text } = await ask(port, { method: 'GET', path });
  return { status, json: JSON.parse(text) as T };
}
