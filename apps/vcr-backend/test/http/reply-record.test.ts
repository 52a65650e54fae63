import { waitUntil } from '@switchyard/test-kit';
import { expect, it } from 'vitest';
import { cassette, like } from '../cassettes.ts';
import { send, startVcr } from './vcr.ts';

const anyNumber: unknown = expect.any(Number);

it('tells who asked, what was played and how it went', async () => {
  await using vcr = await startVcr([cassette({ id: 'one', body: { model: 'm', stream: true } })]);
  const exchange = await send(
    vcr.port,
    { model: 'm', stream: true },
    {
      headers: {
        traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01',
        'x-ai-provider-attribution': 'provider-a',
        'x-ai-provider-request-id': 'r-1',
        'x-ai-provider-routing-revision': 'f'.repeat(64),
        authorization: 'Bearer secret-token',
      },
    },
  );
  await exchange.body;
  const [reply] = await waitUntil(() => vcr.replies.length > 0 && vcr.replies);
  expect(reply).toEqual({
    n: 1,
    instance: 'vcr-test',
    cassette: 'one',
    hit: true,
    status: 200,
    stream: true,
    bytes: 2,
    durationMs: anyNumber,
    aborted: false,
    traceId: '0123456789abcdef0123456789abcdef',
    providerRequestId: 'r-1',
    attribution: 'provider-a',
    routingRevision: 'f'.repeat(64),
    time: like(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
  expect(JSON.stringify(vcr.replies)).not.toContain('secret-token');
});

it('counts replies from 1, and has null for what it does not know', async () => {
  await using vcr = await startVcr([cassette()]);
  const bad = [
    '',
    'x',
    `00-${'0'.repeat(32)}-0123456789abcdef-01`,
    `ff-${'1'.repeat(32)}-0123456789abcdef-01`,
  ];
  for (const traceparent of bad) await (await send(vcr.port, {}, { headers: { traceparent } })).body;
  await waitUntil(() => vcr.replies.length === bad.length);
  expect(vcr.replies.map((reply) => reply.n)).toEqual([1, 2, 3, 4]);
  for (const reply of vcr.replies) {
    expect(reply).toMatchObject({
      traceId: null,
      attribution: null,
      providerRequestId: null,
      routingRevision: null,
    });
  }
});
