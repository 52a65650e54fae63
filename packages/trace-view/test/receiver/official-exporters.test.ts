import { describe, expect, it } from 'vitest';
import type { OtlpEncoding } from '../../src/index.ts';
import { exportSpans, makeSpans } from '../support/official-exporters.ts';
import { testView, tracesUrl } from '../support/view.ts';

describe.each<[OtlpEncoding, boolean]>([
  ['protobuf', false],
  ['protobuf', true],
  ['json', false],
  ['json', true],
])('the official exporter, %s, gzip %s', (encoding, gzip) => {
  it('is understood in every field', async () => {
    const view = await testView();
    const spans = await makeSpans();
    await exportSpans(encoding, spans, { url: tracesUrl(view), gzip });
    const traceId = spans[0]?.spanContext().traceId ?? '';
    const trace = view.store.trace(traceId);
    expect(trace).toMatchObject({
      name: 'GET /cart',
      service: 'shop',
      spans: 2,
      errors: 1,
      missingParents: 0,
    });
    expect(trace?.rows.map(({ depth, place }) => [depth, place])).toEqual([
      [0, 'root'],
      [1, 'child'],
    ]);
    const child = trace?.rows[1]?.span;
    expect(child).toMatchObject({
      name: 'query «ü»',
      kind: 'client',
      instance: 'shop-1',
      parentSpanId: trace?.rows[0]?.span.spanId,
      status: { code: 'error', message: 'no answer' },
      resource: expect.objectContaining({ 'service.name': 'shop', build: 7 }) as unknown,
      scope: { name: 'made-for-tests', version: '1.2.3' },
      links: [{ traceId, spanId: trace?.rows[0]?.span.spanId, attributes: { why: 'test' } }],
    });
    expect(child?.attributes).toEqual({
      text: 'a ü 漢 🙂',
      yes: true,
      no: false,
      zero: 0,
      negative: -42,
      big: 2 ** 53 - 1,
      half: 0.5,
      texts: ['a', 'b'],
      numbers: [1, 2.5],
    });
    expect(child?.events.map(({ name }) => name)).toEqual(['retry', 'exception']);
    expect(child?.events[0]?.attributes).toEqual({ attempt: 2 });
    const sdk = spans.find((span) => span.spanContext().spanId === child?.spanId);
    const [seconds, nanos] = sdk?.startTime ?? [0, 0];
    expect(child?.startUnixNano).toBe(String(BigInt(seconds) * 1_000_000_000n + BigInt(nanos)));
  });
});

describe('what exporters are told', () => {
  it('spans that come twice count once, and no failure is reported', async () => {
    const view = await testView();
    const spans = await makeSpans(20);
    await exportSpans('protobuf', spans, { url: tracesUrl(view) });
    await exportSpans('json', spans, { url: tracesUrl(view) });
    expect(view.store.stats()).toMatchObject({ traces: 20, spans: 40, accepted: 40, duplicates: 40 });
  });

  it('an export that cannot be kept is sent again by the exporter, and then it is kept', async () => {
    const kept: string[] = [];
    let failures = 1;
    const view = await testView({
      receiver: {
        retryAfterSeconds: 0,
        onExport: ({ encoding, body, spans }) => {
          if (failures-- > 0) throw new Error('disk full');
          kept.push(`${encoding} ${JSON.parse(body.toString()).resourceSpans.length} ${spans.length}`);
        },
      },
    });
    await exportSpans('json', await makeSpans(), { url: tracesUrl(view), gzip: true });
    expect(kept).toEqual(['json 1 2']);
    expect(view.store.stats().accepted).toBe(2);
  });

  it('a full store asks to wait, and takes the export once there is room', async () => {
    const view = await testView({
      store: { maxTraces: 1, whenFull: 'refuse' },
      receiver: { retryAfterSeconds: 0 },
    });
    await exportSpans('protobuf', await makeSpans(), { url: tracesUrl(view) });
    const more = await makeSpans();
    const refused = await fetch(tracesUrl(view), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '0']);
    const sent = exportSpans('protobuf', more, { url: tracesUrl(view) });
    view.store.clear();
    await sent;
    expect(view.store.spans(more[0]?.spanContext().traceId ?? '')).toHaveLength(2);
  });
});
