import { type InferenceProvider, parseManifests } from '@switchyard/grid-core';
import { waitUntil } from '@switchyard/test-kit';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProbeResult } from '../src/probes/probe.ts';
import { Prober } from '../src/probes/prober.ts';

const HEALTHY: ProbeResult = { outcome: 'healthy', detail: 'status 200' };
let prober: Prober | undefined;
afterEach(() => prober?.close());

function provider(name: string, timing: string): InferenceProvider {
  const text = `apiVersion: grid.praxis-proxy.io/v1alpha1
kind: GridNetwork
metadata: { name: demo }
spec: { gatewayRefs: [{ name: consumer, namespace: grid-system }] }
---
apiVersion: grid.praxis-proxy.io/v1alpha1
kind: InferenceProvider
metadata: { name: ${name} }
spec:
  gridNetworkRef: demo
  endpoint: http://127.0.0.1:1
  healthCheck: { ${timing} }
  models: [{ name: demo-model }]
`;
  const { inventory, issues } = parseManifests([{ path: 'provider.yaml', text }]);
  const [found] = inventory.providers;
  if (found === undefined) throw new Error(JSON.stringify(issues));
  return found;
}

describe('Prober', () => {
  it('a new timeout or interval of a known endpoint counts at once, and what is known of it stays', async () => {
    const asked: number[] = [];
    prober = new Prober({
      failureThreshold: 2,
      onChange: () => undefined,
      async ask(_url, timeoutMs) {
        asked.push(timeoutMs);
        return HEALTHY;
      },
    });
    prober.watch([provider('provider-a', 'interval: 3600s, timeout: 1s')]);
    await prober.settled();
    expect(asked).toEqual([1000]);
    prober.watch([provider('provider-a', 'interval: 100ms, timeout: 2s')]);
    expect(prober.phases().get('provider-a')).toBe('available');
    await waitUntil(() => asked.length >= 3);
    expect(asked.slice(1).every((timeoutMs) => timeoutMs === 2000)).toBe(true);
  });

  it('an answer that comes after its provider was forgotten and found again is not counted', async () => {
    const answers: ((result: ProbeResult) => void)[] = [];
    prober = new Prober({
      failureThreshold: 1,
      onChange: () => undefined,
      ask: () => new Promise((resolve) => answers.push(resolve)),
    });
    const one = provider('provider-a', 'interval: 3600s, timeout: 1s');
    prober.watch([one]);
    await waitUntil(() => answers.length === 1);
    prober.watch([]);
    prober.watch([one]);
    await waitUntil(() => answers.length === 2);
    answers[1]?.(HEALTHY);
    await prober.settled();
    answers[0]?.({ outcome: 'unreachable', detail: 'too late' });
    await Promise.resolve();
    expect(prober.phases().get('provider-a')).toBe('available');
  });

  it('once closed it aborts what it asks, and asks nobody any more', async () => {
    const signals: AbortSignal[] = [];
    prober = new Prober({
      failureThreshold: 1,
      onChange: () => undefined,
      ask(_url, _timeoutMs, signal) {
        signals.push(signal);
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(HEALTHY)));
      },
    });
    const one = provider('provider-a', 'interval: 3600s, timeout: 3600s');
    prober.watch([one]);
    const settled = prober.settled();
    await waitUntil(() => signals.length === 1);
    prober.close();
    await settled;
    prober.watch([one]);
    await Promise.resolve();
    expect(signals).toHaveLength(1);
    expect(prober.phases().size).toBe(0);
  });

  it('a health check with TLS settings is told to be unasked, and never asked without them', async () => {
    const told: string[] = [];
    let asked = 0;
    prober = new Prober({
      failureThreshold: 1,
      onChange: (name, { phase, detail }) => told.push(`${name} ${phase}: ${detail}`),
      async ask() {
        asked++;
        return HEALTHY;
      },
    });
    prober.watch([provider('provider-a', 'tls: { secretRef: { name: s } }')]);
    await prober.settled();
    expect(told).toEqual([expect.stringContaining('provider-a unknown: not probed: healthCheck.tls')]);
    expect(asked).toBe(0);
  });
});
