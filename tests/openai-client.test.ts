import { join } from 'node:path';
import { stableId } from '@switchyard/grid-core';
import { type AppProcess, repositoryRoot, startApp } from '@switchyard/test-kit';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MODEL = 'demo-model';
const QUESTION = { model: MODEL, messages: [{ role: 'user' as const, content: 'Which site answers?' }] };

/** The whole path with a client that people use: openai SDK, consumer gateway, provider gateway, recorded backend. */
describe('the openai SDK through both gateways', () => {
  const started: AppProcess[] = [];
  let client: OpenAI;

  beforeAll(async () => {
    const backend = await start('vcr-backend', {
      mode: 'replay',
      instance: 'backend-a',
      cassettes: join(repositoryRoot(), 'apps/vcr-backend/cassettes'),
    });
    const candidate = {
      kind: 'inference_model',
      name: MODEL,
      site: 'site-a',
      cluster: 'provider-a',
    } as const;
    const provider = await start('provider-gateway', {
      providerId: 'provider-a',
      peers: { auth: 'insecure-plaintext' },
      routes: [
        {
          candidateId: stableId(candidate),
          model: MODEL,
          paths: ['/v1/chat/completions'],
          cluster: 'backend',
        },
      ],
      clusters: [{ name: 'backend', endpoints: [{ url: `http://127.0.0.1:${backend.port('proxy')}` }] }],
    });
    const consumer = await start('consumer-gateway', {
      routing: { localSite: 'here', candidates: [{ ...candidate, stableId: stableId(candidate) }] },
      clusters: [
        {
          name: 'provider-a',
          providerHop: true,
          endpoints: [{ url: `http://127.0.0.1:${provider.port('proxy')}` }],
        },
      ],
    });
    client = new OpenAI({
      baseURL: `http://127.0.0.1:${consumer.port('proxy')}/v1`,
      apiKey: 'no key is needed, and none goes further than the gateway',
      maxRetries: 0,
    });
  });
  afterAll(() => Promise.all(started.map((app) => app.stop())));

  async function start(app: string, config: object): Promise<AppProcess> {
    const process = await startApp({ app, config: { listen: { port: 0 }, admin: { port: 0 }, ...config } });
    started.push(process);
    return process;
  }

  it('lists the models that are routable', async () => {
    const models = await client.models.list();
    expect(models.data.map(({ id }) => id)).toEqual([MODEL]);
    expect((await client.models.retrieve(MODEL)).id).toBe(MODEL);
  });

  it('completes a chat', async () => {
    const answer = await client.chat.completions.create(QUESTION);
    expect(answer.choices[0]?.message.content).toEqual(expect.any(String));
  });

  it('streams a chat to its end, with usage', async () => {
    const stream = await client.chat.completions.create({ ...QUESTION, stream: true });
    const parts: string[] = [];
    let finish: string | null = null;
    let tokens = 0;
    for await (const chunk of stream) {
      parts.push(chunk.choices[0]?.delta.content ?? '');
      finish = chunk.choices[0]?.finish_reason ?? finish;
      tokens = chunk.usage?.total_tokens ?? tokens;
    }
    expect(parts.filter((part) => part !== '').length).toBeGreaterThan(3);
    expect(finish).toBe('stop');
    expect(tokens).toBeGreaterThan(0);
  });

  it('an unknown model is a NotFoundError that names the close one', async () => {
    const failure = client.chat.completions.create({ ...QUESTION, model: 'demo-modell' });
    await expect(failure).rejects.toThrow(OpenAI.NotFoundError);
    await expect(failure).rejects.toMatchObject({
      code: 'model_not_found',
      message: expect.stringContaining(MODEL) as unknown,
    });
  });

  it('a question that was never recorded comes back from the backend untouched, through both gateways', async () => {
    const failure = client.chat.completions.create({
      ...QUESTION,
      messages: [{ role: 'user', content: 'Something else' }],
    });
    await expect(failure).rejects.toMatchObject({
      status: 404,
      code: 'vcr_miss',
      message: expect.stringContaining('messages[0].content') as unknown,
    });
  });
});
