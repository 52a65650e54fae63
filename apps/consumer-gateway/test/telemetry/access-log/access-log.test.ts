import { createLineWriter } from '@switchyard/gateway-kit';
import { describe, expect, it } from 'vitest';
import { openRecord, type RequestRecord } from '../../../src/pipeline/request-record.ts';
import { AccessLog } from '../../../src/telemetry/access-log/access-log.ts';
import { decision } from '../../support/decision.ts';

function record(n = 1): RequestRecord {
  const clock = { monotonicMs: () => 0, now: () => Date.UTC(2026, 0, 1) };
  return openRecord({ n, route: '/v1/chat/completions', requestId: 'id', clock });
}

/** The line of a record, as a reader of the log parses it. */
function lineOf(told: RequestRecord): unknown {
  let text = '';
  const lines = createLineWriter((written) => {
    text += written;
  });
  new AccessLog(lines).write(told);
  lines.flush();
  return JSON.parse(text);
}

describe('the access log', () => {
  it('has every field, null where nothing is known', () => {
    expect(lineOf(record())).toEqual({
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
    expect(lineOf(routed)).toMatchObject({
      provider: 'provider-a',
      group: 0,
      attempts: 2,
      totalMs: 1.235,
    });
  });

  it('escapes whatever a client or an overlay names', () => {
    const candidate = { ...decision().candidate, cluster: 'a"b\\c\n', site: '\u2028', stableId: '</script>' };
    const result = 'answered' as const;
    const tried = [{ provider: candidate.cluster, result }];
    const told = { ...record(), model: '"}\u0000', decision: decision({ candidate, group: null }), tried };
    expect(lineOf(told)).toMatchObject({
      model: '"}\u0000',
      provider: candidate.cluster,
      site: candidate.site,
      stableId: candidate.stableId,
      group: null,
      tried,
    });
  });

  it('two decisions for one candidate differ in what they say', () => {
    const { candidate } = decision();
    const written: string[] = [];
    const lines = createLineWriter((text) => written.push(text));
    const log = new AccessLog(lines);
    for (const affinity of ['created', 'reused'] as const) {
      log.write({ ...record(), decision: decision({ candidate, affinity }) });
      lines.flush();
    }
    expect(written.map((text) => JSON.parse(text))).toMatchObject([
      { provider: 'provider-a', affinity: 'created' },
      { provider: 'provider-a', affinity: 'reused' },
    ]);
  });
});
