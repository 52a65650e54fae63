import type { ViabilityEvent } from '@switchyard/ai-route';
import { describe, expect, it } from 'vitest';
import { overlayRouter, seededSource } from '../../src/routing/overlay-router.ts';
import { type Simulation, simulate } from '../../src/routing/simulate.ts';
import { SimulatedTime } from '../../src/routing/simulated-time.ts';
import { sample } from '../support/sample.ts';

const MODEL = { kind: 'inference_model', name: 'demo-model' } as const;

/** 60 requests, one a second. */
async function play(failing: Readonly<Record<string, number>>): Promise<Simulation> {
  const clock = new SimulatedTime();
  const events: ViabilityEvent[] = [];
  const router = await overlayRouter(sample().overlay, {
    clock,
    random: seededSource(7),
    onViability: (event) => events.push(event),
  });
  const pause = (): void => clock.pass(1000);
  const result = simulate(router, MODEL, {
    picks: 60,
    failing: new Map(Object.entries(failing)),
    pause,
    events,
  });
  if (!result.ok) throw new Error(result.reason);
  return result.simulation;
}

const told = ({ ejections }: Simulation): string =>
  ejections.map(({ cluster, forMs }) => `${cluster.at(-1)} ${forMs === null ? 'back' : 'out'}`).join();

describe('simulate, with clusters that fail', () => {
  it('retries, ejects after five failures in a row, and lets it back in by its probe', async () => {
    const simulation = await play({ 'provider-b': 5 });
    const { members, sequence, retried } = simulation;
    expect(retried).toBe(5);
    expect(told(simulation)).toBe('b out,b back');
    expect(sequence).not.toContain(null);
    expect(members.map(({ attempts, count }) => attempts - count)).toEqual([0, 5, 0]);
    expect(members.reduce((sum, { count }) => sum + count, 0)).toBe(60);
    expect(sequence.slice(-3).map((member) => member?.cluster.at(-1))).toContain('b');
  });

  it('a cluster that fails for ever is ejected for longer each time', async () => {
    const simulation = await play({ 'provider-b': Number.POSITIVE_INFINITY });
    expect(told(simulation)).toBe('b out,b out,b out');
    const times = simulation.ejections.map(({ forMs }) => forMs ?? 0);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(simulation.members[1]).toMatchObject({ count: 0 });
  });

  it('shows requests that nobody answered', async () => {
    const all = Number.POSITIVE_INFINITY;
    const { sequence, members } = await play({ 'provider-a': all, 'provider-b': all, 'provider-c': all });
    expect(new Set(sequence)).toEqual(new Set([null]));
    expect(members.every(({ count }) => count === 0)).toBe(true);
  });
});
