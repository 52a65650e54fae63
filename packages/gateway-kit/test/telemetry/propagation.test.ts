import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPropagation } from '../../src/telemetry/propagation.ts';

const { extract, inject } = createPropagation(['tracecontext', 'baggage']);
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const OURS = 'b7ad6b7169203331';

/** What a hop sends on: the caller's headers in, our span put into the context, the headers out. */
function hop(rawHeaders: readonly string[], sampled = true): string[] {
  const context = extract(rawHeaders);
  const parent = trace.getSpanContext(context);
  const own = { traceId: parent?.traceId ?? '1'.repeat(32), spanId: OURS, traceFlags: sampled ? 1 : 0 };
  const state = parent?.traceState;
  const headers = [...rawHeaders];
  inject(trace.setSpanContext(context, state === undefined ? own : { ...own, traceState: state }), headers);
  return headers;
}

describe('traceparent', () => {
  it('keeps the trace id and replaces the parent id', () => {
    expect(hop(['Host', 'a', 'Traceparent', `00-${TRACE}-${SPAN}-01`, 'Accept', 'b'])).toEqual([
      'Host',
      'a',
      'Accept',
      'b',
      'traceparent',
      `00-${TRACE}-${OURS}-01`,
    ]);
  });

  it('is marked remote, with the sampled flag as it came', () => {
    for (const [flags, expected] of [
      ['00', 0],
      ['01', 1],
      ['02', 0],
      ['03', 1],
      ['ff', 1],
    ] as const) {
      expect(trace.getSpanContext(extract(['traceparent', `00-${TRACE}-${SPAN}-${flags}`]))).toMatchObject({
        traceId: TRACE,
        spanId: SPAN,
        traceFlags: expected,
        isRemote: true,
      });
    }
  });

  it('carries the random flag of level 2 and zeroes unknown flags', () => {
    for (const [flags, sent] of [
      ['01', '01'],
      ['03', '03'],
      ['02', '03'],
      ['ff', '03'],
      ['fd', '01'],
      ['00', '01'],
    ] as const) {
      expect(hop(['traceparent', `00-${TRACE}-${SPAN}-${flags}`])[1]).toBe(`00-${TRACE}-${OURS}-${sent}`);
    }
    expect(hop(['traceparent', `00-${TRACE}-${SPAN}-03`], false)[1]).toBe(`00-${TRACE}-${OURS}-02`);
  });

  it('of a later version is read as version 00, with or without more fields', () => {
    for (const header of [`cc-${TRACE}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-01-what-the-future-brings`]) {
      expect(hop(['traceparent', header])[1]).toBe(`00-${TRACE}-${OURS}-01`);
    }
  });

  it.each([
    ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['version 00 with more fields', `00-${TRACE}-${SPAN}-01-x`],
    ['a later version with junk', `cc-${TRACE}-${SPAN}-01.x`],
    ['a zero trace id', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a zero span id', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a short span id', `00-${TRACE}-${SPAN.slice(1)}-01`],
    ['one flag digit', `00-${TRACE}-${SPAN}-1`],
    ['a version of one digit', `0-${TRACE}-${SPAN}-01`],
    ['nothing', ''],
    ['two in one line', `00-${TRACE}-${SPAN}-01,00-${TRACE}-${SPAN}-01`],
  ])('invalid (%s): a new trace, and tracestate is dropped', (_name, header) => {
    const headers = ['traceparent', header, 'tracestate', 'a=1'];
    expect(trace.getSpanContext(extract(headers))).toBeUndefined();
    expect(hop(headers)).toEqual(['traceparent', `00-${'1'.repeat(32)}-${OURS}-01`]);
  });

  it('twice is no parent at all', () => {
    const one = ['traceparent', `00-${TRACE}-${SPAN}-01`];
    expect(trace.getSpanContext(extract([...one, ...one]))).toBeUndefined();
    expect(hop([...one, ...one])).toHaveLength(2);
  });
});

describe('tracestate', () => {
  const parent = ['traceparent', `00-${TRACE}-${SPAN}-01`];
  const stateAfter = (...values: string[]): string | undefined => {
    const headers = hop([...parent, ...values.flatMap((value) => ['tracestate', value])]);
    return headers[headers.indexOf('tracestate') + 1];
  };

  it('without traceparent is dropped', () => {
    expect(hop(['tracestate', 'a=1'])).toEqual(['traceparent', `00-${'1'.repeat(32)}-${OURS}-01`]);
  });

  it('in several lines is joined in order', () => {
    expect(stateAfter('a=1,b=2', 'c=3', ' d=4 ,, e=5 ')).toBe('a=1,b=2,c=3,d=4,e=5');
    expect(hop([...parent, 'tracestate', 'a=1', 'TraceState', 'b=2'])).toEqual([
      'traceparent',
      `00-${TRACE}-${OURS}-01`,
      'tracestate',
      'a=1,b=2',
    ]);
  });

  it('of 512 characters survives whole', () => {
    const state = Array.from(
      { length: 4 },
      (_, index) => `k${index}=${'v'.repeat(124 + (index === 3 ? 1 : 0))}`,
    ).join(',');
    expect(state).toHaveLength(512);
    expect(stateAfter(state)).toBe(state);
  });

  it('over 512 characters loses long members first, then the right-most, never half of one', () => {
    const long = `long=${'x'.repeat(200)}`;
    const members = Array.from({ length: 6 }, (_, index) => `k${index}=${'v'.repeat(90)}`);
    expect(stateAfter([members[0], long, ...members.slice(1)].join(','))).toBe(members.slice(0, 5).join(','));
  });
});

describe('baggage', () => {
  const after = (...values: string[]): string[] =>
    hop(values.flatMap((value) => ['Baggage', value])).slice(0, -2);
  const sent = (...values: string[]): string | undefined => {
    const headers = hop(values.flatMap((value) => ['baggage', value]));
    const at = headers.indexOf('baggage');
    return at === -1 ? undefined : headers[at + 1];
  };

  it('is carried as it came, lines joined', () => {
    expect(sent('userId=Am%C3%A9lie;prop=1, b=%2c')).toBe('userId=Am%C3%A9lie;prop=1,b=%2c');
    expect(sent('a=1', 'b=2')).toBe('a=1,b=2');
    expect(sent('a=1', '')).toBe('a=1');
  });

  it('is bounded to 64 members and 8192 bytes, members never split', () => {
    expect(sent(Array.from({ length: 70 }, (_, index) => `k${index}=v`).join(','))?.split(',')).toHaveLength(
      64,
    );
    const big = `big=${'x'.repeat(8000)}`;
    expect(sent(`${big},other=${'y'.repeat(300)},c=3`)).toBe(`${big},c=3`);
  });

  it('of which nothing is usable is removed', () => {
    expect(after('')).toEqual([]);
  });
});

describe('formats not asked for', () => {
  it('are neither read nor touched', () => {
    const headers = ['traceparent', `00-${TRACE}-${SPAN}-01`, 'baggage', 'a=1'];
    const none = createPropagation([]);
    const copy = [...headers];
    none.inject(
      trace.setSpanContext(none.extract(headers), { traceId: TRACE, spanId: OURS, traceFlags: 1 }),
      copy,
    );
    expect(copy).toEqual(headers);
  });

  it('nor does a context without a span touch anything', () => {
    const headers = ['traceparent', 'whatever', 'tracestate', 'a=1'];
    inject(ROOT_CONTEXT, headers);
    expect(headers).toEqual(['traceparent', 'whatever', 'tracestate', 'a=1']);
  });
});

describe('any header list', () => {
  it('comes out with one traceparent at most, and every other header in its place', () => {
    const name = fc.constantFrom('traceparent', 'TRACESTATE', 'baggage', 'Host', 'x-a', '');
    const value = fc.oneof(fc.string(), fc.constant(`00-${TRACE}-${SPAN}-01`), fc.constant('a=1,b=2'));
    const list = fc.array(fc.tuple(name, value)).map((pairs) => pairs.flat());
    const others = (headers: readonly string[]): string[] =>
      headers.flatMap((item, index) => {
        const key = (index % 2 === 0 ? item : headers[index - 1])?.toLowerCase() ?? '';
        return ['traceparent', 'tracestate', 'baggage'].includes(key) ? [] : [item];
      });
    fc.assert(
      fc.property(list, (headers) => {
        const out = hop(headers);
        expect(others(out)).toEqual(others(headers));
        const names = out.filter((_, index) => index % 2 === 0).map((item) => item.toLowerCase());
        for (const one of ['tracestate', 'baggage'])
          expect(names.filter((item) => item === one).length).toBeLessThan(2);
        expect(names.filter((item) => item === 'traceparent')).toHaveLength(1);
      }),
    );
  });
});
