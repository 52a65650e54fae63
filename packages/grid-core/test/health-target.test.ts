import { describe, expect, it } from 'vitest';
import { type HealthTarget, healthTarget } from '../src/index.ts';
import { inventoryOf, network, only, provider } from './support/manifests.ts';

function target(spec: Record<string, unknown>): HealthTarget | undefined {
  return healthTarget(only(inventoryOf(network('demo'), provider('p', spec)).providers));
}

const endpoint = 'http://127.0.0.1:8101';

describe('healthTarget', () => {
  it('is absent without healthCheck: the provider is not probed', () => {
    expect(target({ endpoint })).toBeUndefined();
  });

  it('fills in every default', () => {
    expect(target({ endpoint, healthCheck: {} })).toEqual({
      url: 'http://127.0.0.1:8101/health',
      timeoutMs: 2000,
      intervalMs: 10_000,
    });
  });

  it('takes what is written', () => {
    const healthCheck = {
      endpoint: 'https://probe:9/',
      path: '/livez?full=1',
      interval: '500ms',
      timeout: '1s',
    };
    expect(target({ endpoint, healthCheck })).toEqual({
      url: 'https://probe:9/livez?full=1',
      timeoutMs: 1000,
      intervalMs: 500,
    });
  });

  it.each([
    ['http://h:1/pool', '/health', 'http://h:1/pool/health'],
    ['http://h:1/pool/', '/health', 'http://h:1/pool/health'],
    ['http://h:1/pool?x=1', '/health', 'http://h:1/pool/health'],
    ['http://h:1', '//evil/health', 'http://h:1//evil/health'],
    ['http://[::1]:1', '/health', 'http://[::1]:1/health'],
  ])('%s and %s make %s', (base, path, url) => {
    expect(target({ endpoint: base, healthCheck: { path } })?.url).toBe(url);
  });

  it('hands on TLS settings, the probe’s own first', () => {
    const shared = { caSecretRef: { name: 'shared' } };
    const own = { caSecretRef: { name: 'own' } };
    expect(target({ endpoint, tls: shared, healthCheck: {} })?.tls).toEqual(shared);
    expect(target({ endpoint, tls: shared, healthCheck: { tls: own } })?.tls).toEqual(own);
  });
});
