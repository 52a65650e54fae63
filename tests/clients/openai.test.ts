import { type FaultUpstream, startFaultUpstream, waitUntil } from '@switchyard/test-kit';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AiBackend, startAiBackend } from './support/ai-backend.ts';
import { SPEECH } from './support/ai-replies.ts';
import { startTopology, type Topology } from './support/topology.ts';

const model = 'demo-model';
const QUESTION = { model, messages: [{ role: 'user' as const, content: 'hi' }] };
const PATHS = [
  '/v1/responses',
  '/v1/responses/{id}',
  '/v1/responses/{id}/cancel',
  '/v1/responses/{id}/input_items',
  '/v1/embeddings',
  '/v1/audio/transcriptions',
  '/v1/audio/speech',
];

function clientOf(topology: Topology): OpenAI {
  return new OpenAI({ baseURL: `${topology.origin}/v1`, apiKey: 'secret-of-the-client', maxRetries: 0 });
}

describe('openai: chat, through both gateways', () => {
  let upstreams: FaultUpstream[];
  let topology: Topology;
  let client: OpenAI;

  beforeAll(async () => {
    upstreams = await Promise.all(['a', 'b'].map((name) => startFaultUpstream({ name })));
    topology = await startTopology({
      paths: ['/v1/chat/completions'],
      backends: upstreams.map(({ origin }) => origin),
      // Errors that come one after another would send a provider off for a while.
      routing: { viability: { enabled: false } },
    });
    client = clientOf(topology);
  });
  beforeEach(() => {
    for (const upstream of upstreams) upstream.reset();
  });
  afterAll(async () => {
    await topology[Symbol.asyncDispose]();
    for (const upstream of upstreams) await upstream.close();
  });

  const everywhere = (mode: Parameters<FaultUpstream['setMode']>[0]): void => {
    for (const upstream of upstreams) upstream.setMode(mode);
  };

  it('completes, and streams to the end', async () => {
    const whole = await client.chat.completions.create(QUESTION);
    expect(whole.choices[0]?.message.content).toContain('🙂');
    const stream = await client.chat.completions.create({ ...QUESTION, stream: true });
    let text = '';
    let finish: string | null = null;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    expect(text).toContain('🙂');
    expect(finish).toBe('stop');
  });

  it('the key of the client goes to no provider', () => {
    const seen = upstreams.flatMap(({ requests }) => requests.map((request) => request.rawHeaders.join()));
    expect(seen.join()).not.toContain('secret-of-the-client');
  });

  it('an abort reaches the provider, before the first byte and in the middle of a stream', async () => {
    for (const mode of ['hang', 'stall:2'] as const) {
      for (const upstream of upstreams) upstream.reset();
      everywhere(mode);
      const controller = new AbortController();
      const { signal } = controller;
      const call = client.chat.completions.create({ ...QUESTION, stream: true }, { signal });
      const seen = await waitUntil(() => upstreams.flatMap(({ requests }) => requests)[0]);
      if (mode === 'hang') {
        controller.abort();
        await expect(call).rejects.toThrow(OpenAI.APIUserAbortError);
      } else {
        for await (const _chunk of await call) controller.abort();
      }
      expect(await seen.over).toBe('aborted');
    }
  });

  it('an unknown model is a NotFoundError with the id of the request, and reaches nobody', async () => {
    const failure = client.chat.completions.create({ ...QUESTION, model: 'demo-modell' });
    await expect(failure).rejects.toThrow(OpenAI.NotFoundError);
    await expect(failure).rejects.toMatchObject({
      code: 'model_not_found',
      param: 'model',
      message: expect.stringContaining('"demo-model"') as unknown,
      requestID: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
    });
    expect(upstreams.flatMap(({ requests }) => requests)).toHaveLength(0);
  });

  it.each([
    ['status:429:7', OpenAI.RateLimitError, 429],
    ['status:500', OpenAI.InternalServerError, 500],
    ['status:400', OpenAI.BadRequestError, 400],
    ['status:401', OpenAI.AuthenticationError, 401],
    ['status:422', OpenAI.UnprocessableEntityError, 422],
  ] as const)('the provider’s own %s comes through untouched', async (mode, kind, status) => {
    everywhere(mode);
    const failure = client.chat.completions.create(QUESTION);
    await expect(failure).rejects.toThrow(kind);
    await expect(failure).rejects.toMatchObject({
      message: expect.stringMatching(new RegExp(`[ab] answers ${status}`)) as unknown,
    });
    const error = await failure.catch((caught: unknown) => caught);
    if (status === 429) expect((error as InstanceType<typeof kind>).headers?.get('retry-after')).toBe('7');
  });

  it('a stream that breaks off is an error, never a short answer', async () => {
    everywhere('cut:2');
    const stream = await client.chat.completions.create({ ...QUESTION, stream: true });
    const read = async (): Promise<void> => {
      for await (const _chunk of stream);
    };
    await expect(read()).rejects.toThrow();
  });
});

describe('openai: responses, embeddings and audio, through both gateways', () => {
  let backends: AiBackend[];
  let topology: Topology;
  let client: OpenAI;

  beforeAll(async () => {
    backends = await Promise.all([startAiBackend('a'), startAiBackend('b')]);
    topology = await startTopology({ paths: PATHS, backends: backends.map(({ origin }) => origin) });
    client = clientOf(topology);
  });
  afterAll(async () => {
    await topology[Symbol.asyncDispose]();
    for (const backend of backends) await backend[Symbol.asyncDispose]();
  });

  const ask = { model, input: 'hi' };

  it('a conversation by previous_response_id stays with the provider that has it, turn after turn', async () => {
    for (let round = 0; round < 4; round++) {
      let last = await client.responses.create(ask);
      const { output_text: who } = last;
      for (let turn = 0; turn < 3; turn++) {
        last = await client.responses.create({ ...ask, previous_response_id: last.id });
        expect(last.output_text).toBe(who);
      }
    }
    expect(backends.every(({ seen }) => seen.length > 0)).toBe(true);
  });

  it('the id is learned from a stream and from a compressed answer as well', async () => {
    for (let round = 0; round < 3; round++) {
      const stream = await client.responses.create({ ...ask, stream: true });
      let id = '';
      for await (const event of stream) if (event.type === 'response.completed') id = event.response.id;
      const next = await client.responses.create({
        ...ask,
        previous_response_id: id,
        metadata: { gzip: 'yes' },
      });
      const again = await client.responses.create({ ...ask, previous_response_id: next.id });
      expect(again.previous_response_id).toBe(next.id);
    }
  });

  it('a named conversation stays with whoever took its first turn', async () => {
    const who = new Set<string>();
    for (let turn = 0; turn < 4; turn++) {
      who.add((await client.responses.create({ ...ask, conversation: { id: 'conv_1' } })).output_text);
    }
    expect(who.size).toBe(1);
  });

  it('a stored response is read, cancelled and deleted where it is', async () => {
    const made = await Promise.all([1, 2, 3].map(() => client.responses.create(ask)));
    for (const { id } of made) {
      expect((await client.responses.retrieve(id)).id).toBe(id);
      expect((await client.responses.inputItems.list(id)).data).toEqual([]);
      expect((await client.responses.cancel(id)).status).toBe('cancelled');
      await client.responses.delete(id);
    }
    await expect(client.responses.retrieve(made[0]?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('an id that this gateway never saw: an honest 404, or the provider’s when the model is named', async () => {
    await expect(client.responses.retrieve('resp_other')).rejects.toMatchObject({
      status: 404,
      code: 'response_not_found',
    });
    const named = client.responses.retrieve('resp_other', {}, { headers: { 'x-model': model } });
    await expect(named).rejects.toMatchObject({ status: 404, code: 'not_found' });
    const next = client.responses.create({ ...ask, previous_response_id: 'resp_other' });
    await expect(next).rejects.toMatchObject({ code: 'previous_response_not_found' });
  });

  it('embeddings come as the floats that were sent', async () => {
    const answer = await client.embeddings.create({ model, input: 'hi' });
    expect(Array.from(answer.data[0]?.embedding ?? [])).toEqual([0.25, -1.5]);
  });

  it('an upload arrives byte for byte, its model behind three megabytes of sound', async () => {
    const sound = Buffer.alloc(3_000_000, Buffer.from([0, 13, 10, 45, 45, 255]));
    const file = await toFile(sound, 'hello.wav', { type: 'audio/wav' });
    const { text } = await client.audio.transcriptions.create({ file, model });
    expect(text).toMatch(/^[ab] heard 3000\d{3} bytes$/);
    const body = backends
      .flatMap(({ seen }) => seen)
      .find(({ path }) => path.includes('transcriptions'))?.body;
    expect(body?.includes(sound)).toBe(true);
  });

  it('a download arrives byte for byte', async () => {
    const answer = await client.audio.speech.create({ model, voice: 'alloy', input: 'hi' });
    expect(answer.headers.get('content-type')).toBe('audio/mpeg');
    expect(Buffer.from(await answer.arrayBuffer()).equals(SPEECH)).toBe(true);
  });
});
