import { waitUntil } from '@switchyard/test-kit';
import { expect, it } from 'vitest';
import { send } from '../http/vcr.ts';
import { ask, replyLines, startVcrProcess } from './app.ts';
import { startSpanReceiver } from './span-receiver.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const traceparent = `00-${TRACE}-${PARENT}-01`;
const SERVER = 2;

it('sends one SERVER span per reply, child of the caller, ending with the last byte', async () => {
  await using receiver = await startSpanReceiver();
  await using app = await startVcrProcess({
    config: { instance: 'site-a' },
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
  });
  const port = app.port('proxy');
  await (await send(port, ask(undefined, { stream: true }), { headers: { traceparent } })).body;
  await (await send(port, ask('a miss'))).body;
  await (await send(port, ask(), { path: '/made/up' })).body;
  await (await send(port, ask('Answer with an overload.'))).body;
  const spans = await waitUntil(() => receiver.spans.length === 4 && receiver.spans);

  const [stream, miss, unknown, overload] = spans;
  expect(stream).toMatchObject({
    name: 'POST /v1/chat/completions',
    kind: SERVER,
    traceId: TRACE,
    parentSpanId: PARENT,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
      'url.path': '/v1/chat/completions',
      'url.scheme': 'http',
      'vcr.cassette': 'which-site-stream',
      'vcr.hit': true,
    },
    resource: { 'service.name': 'vcr-backend', 'service.instance.id': 'site-a' },
  });
  const durationMs = (stream?.endMs ?? 0) - (stream?.startMs ?? 0);
  expect(durationMs).toBeGreaterThanOrEqual(159);
  expect(miss).toMatchObject({ name: 'POST /v1/chat/completions', attributes: { 'vcr.hit': false } });
  expect(miss?.parentSpanId ?? '').toBe('');
  // A client's error is not the server's; a recorded 503 is.
  expect([miss?.statusCode ?? 0, overload?.statusCode]).toEqual([0, 2]);
  expect(unknown?.name).toBe('POST');
  expect(replyLines(app).map((line) => line.traceId)).toEqual(spans.map((span) => span.traceId));
  expect(JSON.stringify(spans)).not.toContain('Which site answers');
});

it('sends nothing when telemetry is off, and logs the trace id of the caller', async () => {
  await using receiver = await startSpanReceiver();
  await using app = await startVcrProcess({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_SDK_DISABLED: 'true' },
  });
  await (await send(app.port('proxy'), ask(), { headers: { traceparent } })).body;
  const [line] = await waitUntil(() => replyLines(app).length > 0 && replyLines(app));
  expect(line?.traceId).toBe(TRACE);
  expect(await app.stop()).toBe(0);
  expect(receiver.spans).toEqual([]);
});
