import type { SpanRecord } from '@switchyard/demo-kit';
import type { DemoPolicy, Records } from '../src/records/types.ts';

export const PROVIDERS = ['provider-a', 'provider-b', 'provider-c'] as const;
export const REVISION = '5'.repeat(64);

/** Records of a run in which everything went well; `providerOf` says who answered request n (from 0). */
export function goodRun(
  requests = 60,
  providerOf: (n: number) => string = (n) => PROVIDERS[n % PROVIDERS.length] ?? '',
  policy: DemoPolicy = 'round_robin',
): Records {
  const numbers = Array.from({ length: requests }, (_, n) => n);
  const agreed = { published: REVISION, accepted: REVISION, serving: REVISION };
  const identity = { dataTarget: '..2026', inode: 1, mtimeMs: 1, sha256: 'x' };

  return {
    requests: numbers.map((n) => ({
      n: n + 1,
      traceId: traceId(n),
      provider: providerOf(n),
      group: 0,
      policy,
      status: 200,
      ttfbMs: 1,
      totalMs: 2,
      stream: false,
      affinity: 'disabled',
      attempts: 1,
      revision: REVISION.slice(0, 12),
      error: null,
    })),
    exports: [],
    spans: numbers.flatMap((n) => spansOf(n, providerOf(n))),
    replies: numbers.map((n) => ({
      backend: backendOf(providerOf(n)),
      traceId: traceId(n),
      attribution: providerOf(n),
      status: 200,
    })),
    overlay: {
      revision: { value: REVISION },
      overlay: {
        selection_policy: policy,
        candidates: PROVIDERS.map((cluster) => ({ cluster, stable_id: `id-${cluster}`, selection_group: 0 })),
      },
    },
    overlaySha256: 'x',
    observations: {
      requested: requests,
      policy,
      seed: null,
      backends: Object.fromEntries(PROVIDERS.map((provider) => [provider, backendOf(provider)])),
      gate: [{ published: REVISION, accepted: null, serving: null }, agreed, agreed],
      activeGroup: PROVIDERS.map((cluster) => ({
        cluster,
        site: 's',
        stableId: `id-${cluster}`,
        viable: true,
      })),
      activeGroups: 1,
      revisions: { before: agreed, after: agreed },
      overlay: { before: identity, after: { ...identity } },
      controller: { pid: 7, stateBefore: 'T', stateAfter: 'T' },
      overlayEvents: 0,
      startedAt: '2026-11-29T12:00:00.000Z',
      durationMs: 3000,
    },
  };
}

function backendOf(provider: string): string {
  return provider.replace('provider', 'backend');
}

function traceId(n: number): string {
  return n.toString(16).padStart(32, '0');
}

/** The seven spans of one request, each the child of the one before, and `routing.select` beside. */
function spansOf(n: number, provider: string): SpanRecord[] {
  const trace = traceId(n);
  const startNs = BigInt(n) * 1_000_000n;
  const hops = [
    ['demo-client', 'client', null],
    ['consumer-gateway', 'server', 'consumer-gateway'],
    ['consumer-gateway', 'client', 'consumer-gateway'],
    ['provider-gateway', 'server', provider],
    ['provider-gateway', 'client', provider],
    ['vcr-backend', 'server', backendOf(provider)],
  ] as const;
  const chain = hops.map(([service, kind, instance], index) => ({
    traceId: trace,
    spanId: `${trace}-${index}`,
    parentSpanId: index === 0 ? null : `${trace}-${index - 1}`,
    name: 'POST',
    kind,
    service,
    instance,
    startNs,
    attributes: {},
  }));
  const select: SpanRecord = {
    traceId: trace,
    spanId: `${trace}-select`,
    parentSpanId: `${trace}-1`,
    name: 'routing.select',
    kind: 'internal',
    service: 'consumer-gateway',
    instance: 'consumer-gateway',
    startNs,
    attributes: { 'selected.provider': provider, 'overlay.revision.serving': REVISION },
  };
  return [...chain, select];
}
