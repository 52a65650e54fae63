import type { Control } from '@switchyard/trace-view';
import { describe, expect, it } from 'vitest';
import { type ControlsState, controlsFor } from '../../src/ui/act/controls.ts';

const idle: ControlsState = {
  busy: null,
  traffic: 'none',
  policy: 'round_robin',
  requests: 60,
  providers: ['provider-a', 'provider-b'],
  draining: new Set(),
  down: new Set(),
};
const buttons = (change: Partial<ControlsState>): Map<string, Control> =>
  new Map(
    controlsFor({ ...idle, ...change }).groups.flatMap(({ controls }) =>
      controls.map((one) => [one.id, one] as const),
    ),
  );

describe('the buttons', () => {
  it('have ids of their own, and all can be pressed while nothing goes on', () => {
    const all = controlsFor(idle).groups.flatMap(({ controls }) => controls);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ disabled }) => disabled !== null)).toEqual([]);
  });

  it('all wait while a run is measured, and say why', () => {
    const reasons = [...buttons({ traffic: 'measuring' }).values()].map(({ disabled }) => disabled);
    expect(new Set(reasons)).toEqual(new Set(['wait: a run is being measured']));
  });

  it('steady traffic can be stopped while something else is done, and nothing is measured meanwhile', () => {
    const now = buttons({ traffic: 'flowing', busy: 'provider-a drains …' });
    expect(now.get('steady')).toMatchObject({ disabled: null, pressed: true, input: { on: false } });
    expect(now.get('run-again')?.disabled).toContain('provider-a drains');
    expect(buttons({ traffic: 'flowing' }).get('run-again')?.disabled).toContain('steady traffic');
  });

  it('a provider that is down is restored and not killed, and one that drains can come back', () => {
    const now = buttons({ down: new Set(['provider-a']), draining: new Set(['provider-b']) });
    expect(now.get('kill-provider-a')).toMatchObject({ action: 'restore', label: 'Restore' });
    expect(now.get('drain-provider-a')?.disabled).toBe('its process is down');
    expect(now.get('drain-provider-b')).toMatchObject({
      pressed: true,
      input: { provider: 'provider-b', on: false },
    });
  });

  it('the policy in force is the one that is pressed', () => {
    const now = buttons({ policy: 'random' });
    expect(
      [...now.values()].filter(({ pressed, action }) => action === 'policy' && pressed).map(({ id }) => id),
    ).toEqual(['policy-random']);
  });
});
