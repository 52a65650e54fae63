import { MetricRegistry } from '@switchyard/gateway-kit';
import { describe, expect, it } from 'vitest';
import { openRecord, type RequestRecord } from '../../src/pipeline/request-record.ts';
import { GatewayMetrics } from '../../src/telemetry/metrics.ts';
import { ModelLabels } from '../../src/telemetry/model-labels.ts';
import { decision } from '../support/decision.ts';

const route = '/v1/chat/completions';

function metrics(): GatewayMetrics {
  return new GatewayMetrics(new MetricRegistry({ app: 'a', version: '1', runtime: false }), {
    clusters: ['provider-a', 'provider-b'],
    routes: [route],
  });
}

function ended(changes: Partial<RequestRecord>): RequestRecord {
  const clock = { monotonicMs: () => 0, now: () => 0 };
  const record = openRecord({ n: 1, route, requestId: 'id', clock });
  return { ...record, totalMs: 20, outcome: 'success', ...changes };
}

describe('GatewayMetrics', () => {
  it('starts known series at zero, so that a provider without traffic shows 0', async () => {
    const gateway = metrics();
    gateway.overlay.serves(5000);
    gateway.modelServed('demo-model', ['provider-a', 'provider-b']);
    const { text } = await gateway.registry.expose();
    for (const provider of ['provider-a', 'provider-b']) {
      const labels = `route="${route}",model="demo-model",provider="${provider}",outcome="success"`;
      expect(text).toContain(`switchyard_requests_total{${labels}} 0`);
      expect(text).toContain(`switchyard_upstream_attempts_total{provider="${provider}",result="reset"} 0`);
    }
    expect(text).toContain('switchyard_overlay_last_accepted_timestamp_seconds 5');
  });

  it('starts series that a reload brings, but none for a cluster that this gateway does not have', async () => {
    const gateway = metrics();
    const series = async (): Promise<string[]> => {
      const { text } = await gateway.registry.expose();
      return [...text.matchAll(/model="demo-model",provider="([^"]*)"/g)].map(
        ([, provider = '']) => provider,
      );
    };
    gateway.modelServed('demo-model', ['provider-a', 'elsewhere', 'provider-a']);
    expect(await series()).toEqual(['provider-a']);
    gateway.modelServed('demo-model', ['provider-a', 'provider-b', 'elsewhere']);
    expect(await series()).toEqual(['provider-a', 'provider-b']);
  });

  it('does not go through the clusters of a model that has all its series', () => {
    const gateway = metrics();
    gateway.modelServed('demo-model', ['provider-a', 'provider-b']);
    const untouchable: Iterable<string> = {
      [Symbol.iterator]() {
        throw new Error('gone through again');
      },
    };
    gateway.modelServed('demo-model', untouchable);
    expect(() => gateway.modelServed('another-model', untouchable)).toThrow('gone through again');
  });

  it('folds a model that is not routable, so that clients cannot make series', async () => {
    const gateway = metrics();
    for (let i = 0; i < 50; i++) {
      gateway.requestStarted(route);
      gateway.requestEnded(ended({ model: `invented-${i}`, routable: false, outcome: 'client_error' }));
    }
    const { text } = await gateway.registry.expose();
    expect(text).not.toContain('invented');
    expect(text).toContain(`{route="${route}",model="other",provider="none",outcome="client_error"} 50`);
    expect(text).toContain(`switchyard_inflight_requests{route="${route}"} 0`);
  });

  it('counts a routed request under its provider', async () => {
    const gateway = metrics();
    gateway.requestStarted(route);
    gateway.requestEnded(ended({ model: 'demo-model', routable: true, decision: decision(), ttfbMs: 3 }));
    const { text } = await gateway.registry.expose();
    expect(text).toContain(`{route="${route}",model="demo-model",provider="provider-a",outcome="success"} 1`);
    expect(text).toContain(
      `switchyard_time_to_first_byte_seconds_count{route="${route}",provider="provider-a"} 1`,
    );
  });
});

describe('ModelLabels', () => {
  it('stops making labels at a thousand, over any number of overlays', () => {
    const labels = new ModelLabels();
    const seen = new Set(Array.from({ length: 5000 }, (_, i) => labels.admit(`m-${i}`)));
    expect(seen.size).toBe(1001);
    expect(labels.admit('m-0')).toBe('m-0');
  });
});
