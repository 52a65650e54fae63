import { describe, expect, it } from 'vitest';
import { createRouter, RouterOptionsError } from '../../src/index.ts';
import { candidatesOf } from '../support/static-router.ts';

async function issuesWith(options: object): Promise<string[]> {
  const base = {
    candidates: candidatesOf(['ab']),
    localSite: 'here',
    selectionPolicy: 'round_robin' as const,
  };
  const error: unknown = await createRouter({ ...base, ...options }).then(
    async (router) => router.close(),
    (caught: unknown) => caught,
  );
  if (error === undefined) return [];
  if (!(error instanceof RouterOptionsError)) throw error;
  return error.issues.map(({ path }) => path);
}

const key = new Uint8Array(32);

describe('options about failures and sessions', () => {
  it.each([
    ['zero wherever it means "none"', { retry: { withinMs: 0, budget: { ratio: 0, minConcurrent: 0 } } }],
    ['no ejections', { viability: { consecutiveFailures: 0, retryAfterMaxMs: 0, jitter: 0 } }],
    ['a ratio of everything', { retry: { budget: { ratio: 1 } }, viability: { jitter: 1 } }],
    ['rendezvous', { affinity: { enabled: true, mode: 'rendezvous' } }],
    [
      'cookie with keys',
      { affinity: { enabled: true, mode: 'cookie', keys: [key, key], onReturn: 'failBack' } },
    ],
    ['a memory for states', { state: { capacity: 1, ttlSeconds: 1 } }],
  ])('may be %s', async (_what, options) => {
    expect(await issuesWith(options)).toEqual([]);
  });

  it.each([
    ['retry.budget.ratio', { retry: { budget: { ratio: 1.5 } } }],
    ['retry.budget.ratio', { retry: { budget: { ratio: Number.NaN } } }],
    ['retry.budget.minConcurrent', { retry: { budget: { minConcurrent: -1 } } }],
    ['retry.budget.share', { retry: { budget: { share: 1 } } }],
    ['retry.withinMs', { retry: { withinMs: 0.5 } }],
    ['viability.jitter', { viability: { jitter: '0.2' } }],
    ['viability.ejectionMs', { viability: { ejectionMs: 0 } }],
    ['viability.maxEjectionMs', { viability: { ejectionMs: 1000, maxEjectionMs: 999 } }],
    ['viability.failures', { viability: { failures: 5 } }],
    ['onViability', { onViability: true }],
    ['affinity.mode', { affinity: { enabled: true, mode: 'sticky' } }],
    ['affinity.keys', { affinity: { enabled: true, mode: 'cookie' } }],
    ['affinity.keys', { affinity: { enabled: true, mode: 'cookie', keys: [new Uint8Array(31)] } }],
    ['affinity.keys', { affinity: { enabled: true, mode: 'cookie', keys: 'secret' } }],
    ['affinity.keys', { affinity: { enabled: true, keys: [key] } }],
    ['affinity.onReturn', { affinity: { enabled: true, mode: 'rendezvous', onReturn: 'failBack' } }],
    ['state.capacity', { state: { capacity: 0 } }],
  ])('%s is refused in %o', async (path, options) => {
    expect(await issuesWith(options)).toContain(path);
  });
});
