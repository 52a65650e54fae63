import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import { type FaultUpstream, startFaultUpstream } from '@switchyard/test-kit';
import { APICallError, generateText, stepCountIs, streamText, tool } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startToolCaller, type ToolCaller } from './support/tool-caller.ts';
import { startTopology, type Topology } from './support/topology.ts';

const paths = ['/v1/chat/completions'];

function providerOf({ origin }: Topology): OpenAICompatibleProvider {
  return createOpenAICompatible({ name: 'switchyard', baseURL: `${origin}/v1`, apiKey: 'none' });
}

describe('the AI SDK through both gateways', () => {
  let upstream: FaultUpstream;
  let topology: Topology;
  beforeAll(async () => {
    upstream = await startFaultUpstream({ name: 'a' });
    topology = await startTopology({ paths, backends: [upstream.origin] });
  });
  afterAll(async () => {
    await topology[Symbol.asyncDispose]();
    await upstream.close();
  });

  it('generates text', async () => {
    const model = providerOf(topology)('demo-model');
    const { text, finishReason } = await generateText({ model, prompt: 'hi', maxRetries: 0 });
    expect([text.startsWith('a 0 🙂'), finishReason]).toEqual([true, 'stop']);
  });

  it('streams text', async () => {
    const result = streamText({ model: providerOf(topology)('demo-model'), prompt: 'hi', maxRetries: 0 });
    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(3);
    expect(await result.finishReason).toBe('stop');
  });

  it('tells the gateway’s own error in its words', async () => {
    const model = providerOf(topology)('nope');
    const failure = await generateText({ model, prompt: 'hi', maxRetries: 0 }).catch(
      (error: unknown) => error,
    );
    if (!APICallError.isInstance(failure)) throw new Error(`not an API error: ${String(failure)}`);
    expect([failure.statusCode, failure.message]).toEqual([404, expect.stringContaining('"nope"')]);
  });
});

describe('a tool call of the AI SDK', () => {
  let caller: ToolCaller;
  let topology: Topology;
  beforeAll(async () => {
    caller = await startToolCaller();
    topology = await startTopology({ paths, backends: [caller.origin] });
  });
  afterAll(async () => {
    await topology[Symbol.asyncDispose]();
    await caller[Symbol.asyncDispose]();
  });

  it('goes there and back', async () => {
    const asked: string[] = [];
    const weather = tool({
      description: 'weather of a place',
      inputSchema: z.object({ place: z.string() }),
      execute: ({ place }) => {
        asked.push(place);
        return { sky: 'clear' };
      },
    });
    const { text } = await generateText({
      model: providerOf(topology)('demo-model'),
      prompt: 'What is the weather in Zürich?',
      tools: { weather },
      stopWhen: stepCountIs(2),
      maxRetries: 0,
    });
    expect(asked).toEqual(['Zürich']);
    expect(text).toBe('The tool said {"sky":"clear"}');
  });
});
