import { createServer, type RequestListener } from 'node:http';
import { rawHttp } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { closeServer, listen, openAiError, sendJson } from '../../src/index.ts';

async function answerOf(handler: RequestListener, method = 'GET'): Promise<string> {
  const server = createServer(handler);
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  try {
    return await rawHttp(port, `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  } finally {
    await closeServer(server, 0);
  }
}

describe('openAiError', () => {
  it('always has the four keys, in their order', () => {
    const input = {
      status: 404,
      message: 'no model "x"',
      type: 'invalid_request_error',
      code: 'model_not_found',
      param: null,
    };
    expect(openAiError(input)).toEqual({
      status: 404,
      body: '{"error":{"message":"no model \\"x\\"","type":"invalid_request_error","param":null,"code":"model_not_found"}}',
    });
  });
});

describe('sendJson', () => {
  it('sends status, type, length in bytes, own headers and the very text', async () => {
    const answer = await answerOf((_request, response) =>
      sendJson(response, 429, '{"a":"é"}', { 'retry-after': '3' }),
    );
    const [head, body] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 429 /);
    expect(head?.toLowerCase()).toContain(
      'content-type: application/json\r\ncontent-length: 10\r\nretry-after: 3',
    );
    expect(body).toBe('{"a":"é"}');
  });

  it('answers HEAD without a body', async () => {
    expect(await answerOf((_request, response) => sendJson(response, 200, '{}'), 'HEAD')).toMatch(
      /\r\n\r\n$/,
    );
  });

  it('breaks the connection when another answer has begun', async () => {
    const answer = await answerOf((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => sendJson(response, 502, '{"error":{}}'));
    });
    expect(answer).toMatch(/half$/);
    expect(answer).not.toContain('502');
  });

  it('leaves an answer alone that is complete', async () => {
    const answer = await answerOf((_request, response) => {
      response.end('whole');
      sendJson(response, 500, '{}');
    });
    expect(answer).toContain('200 OK');
    expect(answer).toContain('whole');
  });
});
