import {
  type AppProcess,
  type FaultUpstream,
  rawHttp,
  startApp,
  startFaultUpstream,
} from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Collector, startCollector } from './support/collector.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const BODY = '{"model":"demo-model"}';

let collector: Collector;
let upstream: FaultUpstream;
let traced: AppProcess;
let untraced: AppProcess;

function start(env: Readonly<Record<string, string>>): Promise<AppProcess> {
  return startApp({
    app: 'consumer-gateway',
    env,
    config: {
      listen: { port: 0 },
      admin: { port: 0 },
      routing: {
        candidates: [{ kind: 'inference_model', name: 'demo-model', site: 's', cluster: 'provider-a' }],
        localSite: 's',
      },
      clusters: [{ name: 'provider-a', endpoints: [{ url: upstream.origin }] }],
    },
  });
}

/** What the provider receives when a client sends these header lines, byte for byte. */
async function hop(
  gateway: AppProcess,
  lines: readonly string[],
): Promise<(name: string) => string | undefined> {
  const before = upstream.requests.length;
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'Host: x',
    'Connection: close',
    `Content-Length: ${BODY.length}`,
  ];
  const answer = await rawHttp(gateway.port('proxy'), [...head, ...lines, '', BODY].join('\r\n'));
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  const received = await upstream.waitForRequest(before + 1);
  return (name) => received.header(name);
}

beforeAll(async () => {
  collector = await startCollector();
  upstream = await startFaultUpstream();
  traced = await start(collector.env);
  untraced = await start({});
});
afterAll(async () => {
  await Promise.all([traced?.stop(), untraced?.stop()]);
  await upstream.close();
  await collector[Symbol.asyncDispose]();
});

describe('traceparent', () => {
  it.each([
    ['sampled', `00-${TRACE}-${SPAN}-01`, '01'],
    ['not sampled', `00-${TRACE}-${SPAN}-00`, '00'],
    ['sampled and random (level 2)', `00-${TRACE}-${SPAN}-03`, '03'],
    ['random, not sampled', `00-${TRACE}-${SPAN}-02`, '02'],
    ['unknown flags', `00-${TRACE}-${SPAN}-fd`, '01'],
    ['a future version', `cc-${TRACE}-${SPAN}-01`, '01'],
    ['a future version with more fields', `cc-${TRACE}-${SPAN}-01-what-comes`, '01'],
  ])('%s: the trace goes on below a span of ours', async (_case, parent, flags) => {
    const received = await hop(traced, [`traceparent: ${parent}`, 'tracestate: vendor=1']);
    const [version, trace, span, sent] = (received('traceparent') ?? '').split('-');
    expect({ version, trace, sent }).toEqual({ version: '00', trace: TRACE, sent: flags });
    expect(span).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
    expect(span).not.toBe(SPAN);
    expect(received('tracestate')).toBe('vendor=1');
  });

  it.each([
    ['missing', []],
    ['upper case', [`traceparent: 00-${TRACE.toUpperCase()}-${SPAN}-01`]],
    ['version ff', [`traceparent: ff-${TRACE}-${SPAN}-01`]],
    ['version 00 with more fields', [`traceparent: 00-${TRACE}-${SPAN}-01-x`]],
    ['a zero trace id', [`traceparent: 00-${'0'.repeat(32)}-${SPAN}-01`]],
    ['a zero parent id', [`traceparent: 00-${TRACE}-${'0'.repeat(16)}-01`]],
    ['cut short', [`traceparent: 00-${TRACE}-${SPAN}`]],
    ['twice', [`traceparent: 00-${TRACE}-${SPAN}-01`, `traceparent: 00-${TRACE}-${SPAN}-01`]],
  ])('%s: a new trace begins, and tracestate is dropped', async (_case, lines) => {
    const received = await hop(traced, [...lines, 'tracestate: vendor=1']);
    const [, trace] = /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(received('traceparent') ?? '') ?? [];
    expect(trace).toMatch(/^(?!0{32})/);
    expect(trace).not.toBe(TRACE);
    expect(received('tracestate')).toBeUndefined();
  });
});

describe('tracestate', () => {
  const parent = `traceparent: 00-${TRACE}-${SPAN}-01`;

  it('in several lines is joined in order', async () => {
    const received = await hop(traced, [parent, 'tracestate: a=1,b=2', 'TraceState: c=3']);
    expect(received('tracestate')).toBe('a=1,b=2,c=3');
  });

  it('that is oversized keeps whole members, 512 characters at most', async () => {
    const members = Array.from({ length: 20 }, (_, n) => `k${n}=${'v'.repeat(60)}`);
    const received = await hop(traced, [parent, `tracestate: ${members.join(',')}`]);
    const kept = (received('tracestate') ?? '').split(',');
    expect(kept).toEqual(members.slice(0, kept.length));
    expect(kept.join(',').length).toBeLessThanOrEqual(512);
    expect(kept.length).toBeGreaterThanOrEqual(7);
  });
});

describe('baggage', () => {
  it('goes on as it came, lines joined', async () => {
    const received = await hop(traced, ['baggage: user=Am%C3%A9lie;p=1', 'baggage: b=%2c']);
    expect(received('baggage')).toBe('user=Am%C3%A9lie;p=1,b=%2c');
  });

  it('is bounded to 64 members and 8192 bytes, members never split', async () => {
    const many = await hop(traced, [`baggage: ${Array.from({ length: 70 }, (_, n) => `k${n}=v`).join(',')}`]);
    expect(many('baggage')?.split(',')).toHaveLength(64);
    const big = `big=${'x'.repeat(8000)}`;
    const long = await hop(traced, [`baggage: ${big},other=${'y'.repeat(300)},c=3`]);
    expect(long('baggage')).toBe(`${big},c=3`);
  });
});

describe('with tracing off', () => {
  it.each([
    ['a valid context', [`traceparent: 00-${TRACE}-${SPAN}-01`, 'tracestate: a=1', 'baggage: k=v']],
    ['an invalid one', ['traceparent: nonsense', 'tracestate: a=1', 'baggage: ,']],
  ])('%s passes unchanged', async (_case, lines) => {
    const received = await hop(untraced, lines);
    const passed = ['traceparent', 'tracestate', 'baggage'].map((name) => `${name}: ${received(name)}`);
    expect(passed).toEqual(lines);
  });
});
