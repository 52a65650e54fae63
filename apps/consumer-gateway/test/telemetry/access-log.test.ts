import { describe, expect, it } from 'vitest';
import { openRecord, type RequestRecord } from '../../src/pipeline/request-record.ts';
import { accessLine } from '../../src/telemetry/access-log.ts';
import { decision } from '../support/decision.ts';

function record(n = 1): RequestRecord {
  const clock = { monotonicMs: () => 0, now: () => Date.UTC(2026, 0, 1) };
  return openRecord({ n, route: '/v1/chat/completions', requestId: 'id', clock });
}

describe('the access log', () => {
  it('has every field, null where nothing is known', () => {
    expect(accessLine(record())).toEqual({
      event: 'request',
      n: 1,
      startedAt: '2026-01-01T00:00:00.000Z',
      traceId: null,
      requestId: 'id',
      route: '/v1/chat/completions',
      model: null,
      provider: null,
      site: null,
      stableId: null,
      group: null,
      policy: null,
      affinity: null,
      reason: null,
      fallthrough: null,
      revision: null,
      attempts: 0,
      tried: [],
      status: null,
      code: null,
      ttfbMs: null,
      totalMs: null,
      bytes: 0,
      outcome: 'gateway_error',
    });
  });

  it('shows the decision and rounds times to microseconds', () => {
    const routed = { ...record(), decision: decision({ attempt: 2 }), attempts: 2, totalMs: 1.23456789 };
    expect(accessLine(routed)).toMatchObject({
      provider: 'provider-a',
      group: 0,
      attempts: 2,
      totalMs: 1.235,
    });
  });
});
