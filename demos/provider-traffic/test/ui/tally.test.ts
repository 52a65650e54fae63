import type { RequestRecord } from '@switchyard/demo-kit';
import type { Span } from '@switchyard/trace-view';
import { describe, expect, it } from 'vitest';
import { Tally } from '../../src/ui/show/tally.ts';
import { goodRun } from '../good-run.ts';

const BACKENDS = { 'provider-a': 'backend-a', 'provider-b': 'backend-b' };

function record(traceId: string, provider: string): RequestRecord {
  const [first] = goodRun(1).requests;
  if (first === undefined) throw new Error('a run of one request has one');
  return { ...first, traceId, provider };
}

interface Decided {
  readonly name: string;
  readonly attempt: number;
  readonly provider: string;
  readonly failed?: boolean;
}

function span(traceId: string, { name, attempt, provider, failed = false }: Decided): Span {
  return {
    traceId,
    spanId: `${traceId}${attempt}${name}`,
    parentSpanId: null,
    name,
    kind: name === 'POST' ? 'client' : 'internal',
    startNs: 0n,
    endNs: 1n,
    status: { code: failed ? 'error' : 'unset', message: '' },
    attributes: { 'selected.provider': provider, 'routing.attempt': attempt },
    events: [],
    links: [],
    traceState: '',
    source: { service: 'consumer-gateway', instance: null, resource: {}, scope: { name: '', version: '' } },
  };
}

describe('the three counts of a run that goes on', () => {
  it('begin at zero for everybody', () => {
    const zero = { 'provider-a': 0, 'provider-b': 0 };
    expect(new Tally(BACKENDS).counts()).toEqual({ client: zero, gateway: zero, backend: zero });
  });

  it('take what arrives before the answer, and leave out what belongs to no request of the run', () => {
    const tally = new Tally(BACKENDS);
    tally.received([span('1', { name: 'routing.select', attempt: 1, provider: 'provider-a' })]);
    tally.received([span('9', { name: 'routing.select', attempt: 1, provider: 'provider-a' })]);
    tally.replied({ backend: 'backend-a', traceId: '1', attribution: 'provider-a', status: 200 });
    tally.sent(record('1', 'provider-a'));
    const one = { 'provider-a': 1, 'provider-b': 0 };
    expect(tally.counts()).toEqual({ client: one, gateway: one, backend: one });
  });

  it('a request that was sent twice counts for the one that answered, and its failure for the other', () => {
    const tally = new Tally(BACKENDS);
    tally.sent(record('1', 'provider-b'));
    tally.received([
      span('1', { name: 'POST', attempt: 2, provider: 'provider-b' }),
      span('1', { name: 'POST', attempt: 1, provider: 'provider-a', failed: true }),
      span('1', { name: 'routing.select', attempt: 1, provider: 'provider-a' }),
    ]);
    expect(tally.counts().gateway).toEqual({ 'provider-a': 0, 'provider-b': 1 });
    expect(tally.failedAttempts()).toEqual({ 'provider-a': 1, 'provider-b': 0 });
  });
});
