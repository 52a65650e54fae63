import http from 'node:http';

/** How one request ended for its client. */
export type Ending = 'whole' | 'left' | `failed: ${string}`;

/** One request of the soak. */
export interface SoakRequest {
  readonly port: number;
  readonly agent: http.Agent;
  readonly stream: boolean;
  /** Leave after the first piece. */
  readonly leave: boolean;
  readonly session: string | undefined;
}

/** Sends it and reads it to its end, unless it is one that leaves. Never rejects. */
export function sendSoakRequest(ask: SoakRequest): Promise<Ending> {
  const body = JSON.stringify({
    model: 'demo-model',
    stream: ask.stream,
    messages: [{ role: 'user', content: 'x'.repeat(ask.stream ? 100 : 2_000) }],
  });
  return new Promise((resolve) => {
    const request = http.request(
      {
        port: ask.port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/v1/chat/completions',
        agent: ask.agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...(ask.session === undefined ? {} : { 'x-session-id': ask.session }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          text += piece;
          if (ask.leave) {
            request.destroy();
            resolve('left');
          }
        });
        response.on('error', (error) => resolve(`failed: ${error.message}`));
        response.on('end', () => resolve(judge(response.statusCode ?? 0, text, ask.stream)));
      },
    );
    request.on('error', (error) => resolve(`failed: ${error.message}`));
    request.end(body);
  });
}

function judge(status: number, text: string, stream: boolean): Ending {
  if (status !== 200) return `failed: status ${status}: ${text.slice(0, 200)}`;
  const whole = stream ? text.trimEnd().endsWith('data: [DONE]') : text.endsWith('}');
  return whole ? 'whole' : 'failed: the answer is not whole';
}
