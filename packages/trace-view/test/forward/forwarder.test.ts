import type { ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type BackEnd, startBackEnd } from '../support/back-end.ts';
import { exportSpans, makeSpans } from '../support/official-exporters.ts';
import { testView, tracesUrl } from '../support/view.ts';

async function backEnd(answer?: (response: ServerResponse) => void): Promise<BackEnd> {
  const started = await startBackEnd(answer);
  onTestFinished(started.close);
  return started;
}

describe('passing spans on', () => {
  it('sends the same bytes to every back end, as they came', async () => {
    const first = await backEnd();
    const second = await backEnd();
    const view = await testView({ forwardTo: [first.url, `${second.url}/own/path`] });
    const spans = await makeSpans();
    await exportSpans('json', spans, { url: tracesUrl(view), gzip: true });
    await exportSpans('protobuf', spans, { url: tracesUrl(view) });
    await waitUntil(() => first.received.length === 2 && second.received.length === 2);
    expect(first.received.map(({ path }) => path)).toEqual(['/v1/traces', '/v1/traces']);
    expect(second.received[0]?.path).toBe('/own/path');
    const [json, protobuf] = first.received;
    expect(json?.headers).toMatchObject({ 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect(JSON.parse(gunzipSync(json?.body ?? '').toString()).resourceSpans).toHaveLength(1);
    expect(protobuf?.headers['content-type']).toBe('application/x-protobuf');
    await waitUntil(() => view.state().forwards.every(({ sent }) => sent === 2));
    expect(view.state().forwards[0]).toEqual({
      url: `${first.url}/v1/traces`,
      sent: 2,
      failed: 0,
      dropped: 0,
      error: null,
    });
  });

  it('a back end that fails is counted, told once, and told once more when it takes spans again', async () => {
    let status = 503;
    const failing = await backEnd((response) => response.writeHead(status).end());
    const warnings: string[] = [];
    const view = await testView({ forwardTo: [failing.url], onWarning: (message) => warnings.push(message) });
    const spans = await makeSpans();
    for (let n = 1; n <= 3; n++) {
      await exportSpans('protobuf', spans, { url: tracesUrl(view) });
      await waitUntil(() => view.state().forwards[0]?.failed === n);
    }
    expect(view.state().forwards[0]?.error).toBe('status 503');
    status = 200;
    await exportSpans('protobuf', spans, { url: tracesUrl(view) });
    await waitUntil(() => view.state().forwards[0]?.sent === 1);
    expect(view.state().forwards[0]).toMatchObject({ failed: 3, error: null });
    expect(warnings).toEqual([
      `${failing.url}/v1/traces does not take the spans passed on to it: status 503`,
      `${failing.url}/v1/traces takes spans again`,
    ]);
    expect(view.store.stats().accepted).toBe(2);
  });

  it('views that name one another do not send in a circle', async () => {
    const first = await testView();
    const second = await testView({ forwardTo: [first.url] });
    const third = await testView({ forwardTo: [second.url] });
    const behind = await testView({ forwardTo: [third.url] });
    await exportSpans('json', await makeSpans(), { url: tracesUrl(behind) });
    await waitUntil(() => third.store.stats().accepted === 2);
    expect(behind.state().forwards[0]).toMatchObject({ failed: 0 });
    expect([third.state().forwards[0]?.sent, second.store.stats().accepted]).toEqual([0, 0]);
  });

  it('nobody listening there delays nothing, and what waits is bounded and counted', async () => {
    const stuck = await backEnd(() => undefined);
    const view = await testView({ forwardTo: [stuck.url] });
    for (let n = 0; n < 300; n++)
      await fetch(tracesUrl(view), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
    expect(stuck.received.length).toBeLessThanOrEqual(1);
    expect(view.state().forwards[0]?.dropped).toBe(300 - 256 - 1);
  });
});
