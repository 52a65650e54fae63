import { Agent, type IncomingMessage, request } from 'node:http';

/** An answer read to its end, or to the point where it broke. */
export interface ClientAnswer {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The connection went away before the answer was complete. */
  readonly broken: boolean;
}

/** What to send. */
export interface ClientRequest {
  readonly port: number;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: readonly string[] | Record<string, string>;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

/** Sends one request and reads the answer; rejects only when there is no answer at all. */
export function send(options: ClientRequest): Promise<ClientAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      port: options.port,
      host: '127.0.0.1',
      method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
      path: options.path ?? '/v1/chat/completions',
      headers: options.headers as Record<string, string>,
      agent: options.agent ?? new Agent({ keepAlive: false }),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => resolve(readAnswer(incoming)));
    outgoing.end(options.body);
  });
}

/** Reads what is left of an answer. */
export function readAnswer(incoming: IncomingMessage): Promise<ClientAnswer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => {});
    incoming.on('close', () => {
      resolve({
        status: incoming.statusCode ?? 0,
        rawHeaders: incoming.rawHeaders,
        body: Buffer.concat(chunks),
        broken: !incoming.complete,
      });
    });
  });
}

/** The values of one header in a flat raw list. */
export function valuesOf(raw: readonly string[], name: string): string[] {
  return raw.filter((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === name);
}
