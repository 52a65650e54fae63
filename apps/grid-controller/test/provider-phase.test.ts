import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProbeResult } from '../src/probes/probe.ts';
import { afterProbe, NEVER_PROBED, type ProbeMemory } from '../src/probes/provider-phase.ts';

const outcomes: readonly ProbeResult['outcome'][] = ['healthy', 'unhealthy', 'unreachable'];
const run = (results: readonly ProbeResult['outcome'][], threshold: number): ProbeMemory =>
  results.reduce((memory, outcome) => afterProbe(memory, { outcome, detail: '' }, threshold), NEVER_PROBED);

describe('afterProbe', () => {
  it.each([
    [['healthy'], 'available'],
    [['unhealthy'], 'degraded'],
    [['unreachable'], 'unavailable'],
    [['healthy', 'unreachable'], 'available'],
    [['healthy', 'unreachable', 'unreachable'], 'unavailable'],
    [['healthy', 'unreachable', 'unhealthy'], 'degraded'],
    [['healthy', 'unreachable', 'healthy', 'unreachable'], 'available'],
    [['unreachable', 'healthy'], 'available'],
  ] as const)('%j gives %s with a threshold of 2', (results, phase) => {
    expect(run(results, 2).phase).toBe(phase);
  });

  it('a healthy answer always brings it back; fewer bad answers in a row than the threshold never take it out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...outcomes)),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.constantFrom('unhealthy' as const, 'unreachable' as const), { maxLength: 4 }),
        (past, threshold, bad) => {
          const back = run([...past, 'healthy'], threshold);
          expect(back.phase).toBe('available');
          const few = bad.slice(0, threshold - 1);
          expect(run([...past, 'healthy', ...few], threshold).phase).toBe('available');
        },
      ),
    );
  });
});
