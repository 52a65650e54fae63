import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AiBackend, startAiBackend } from './support/ai-backend.ts';
import { startTopology, type Topology } from './support/topology.ts';

const QUESTION = {
  model: 'demo-model',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'hi' }],
};

describe('@anthropic-ai/sdk through both gateways', () => {
  let backend: AiBackend;
  let topology: Topology;
  let client: Anthropic;

  beforeAll(async () => {
    backend = await startAiBackend('a');
    topology = await startTopology({
      paths: ['/v1/messages', '/v1/messages/count_tokens'],
      backends: [backend.origin],
    });
    client = new Anthropic({ baseURL: topology.origin, apiKey: 'secret-of-the-client', maxRetries: 0 });
  });
  afterAll(async () => {
    await topology[Symbol.asyncDispose]();
    await backend[Symbol.asyncDispose]();
  });

  it('sends a message, with the headers of the API and without the key', async () => {
    const { content } = await client.messages.create(QUESTION);
    expect(content).toEqual([{ type: 'text', text: 'a answers' }]);
    const headers = backend.seen.at(-1)?.headers ?? {};
    expect(headers['anthropic-version']).toMatch(/^\d{4}-/);
    expect(JSON.stringify(headers)).not.toContain('secret-of-the-client');
  });

  it('streams by named events', async () => {
    const stream = client.messages.stream(QUESTION);
    const pieces: string[] = [];
    stream.on('text', (piece) => void pieces.push(piece));
    expect((await stream.finalMessage()).stop_reason).toBe('end_turn');
    expect(pieces).toEqual(['a', ' answers']);
  });

  it('counts tokens', async () => {
    const { model, messages } = QUESTION;
    expect((await client.messages.countTokens({ model, messages })).input_tokens).toBe(7);
  });

  it('an unknown model is a NotFoundError in its own shape, with the id of the request', async () => {
    const failure = client.messages.create({ ...QUESTION, model: 'demo-modell' });
    await expect(failure).rejects.toThrow(Anthropic.NotFoundError);
    await expect(failure).rejects.toMatchObject({
      requestID: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      error: {
        type: 'error',
        error: { type: 'not_found_error', message: expect.stringContaining('"demo-model"') as unknown },
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      },
    });
  });

  it('the provider’s own overload comes through untouched, with its own id', async () => {
    const failure = client.messages.create({ ...QUESTION, max_tokens: 529 });
    await expect(failure).rejects.toMatchObject({
      status: 529,
      requestID: 'req_theirs',
      error: { error: { type: 'overloaded_error', message: 'a is overloaded' } },
    });
  });
});
