import type { Control, ControlsDocument } from '@switchyard/trace-view';
import type { DemoPolicy } from '../../records/types.ts';

/** What the buttons depend on. */
export interface ControlsState {
  /** What is being done now; null when nothing is. */
  readonly busy: string | null;
  /** `measuring`: a window that must not be disturbed. */
  readonly traffic: 'none' | 'measuring' | 'flowing';
  readonly policy: DemoPolicy;
  /** Requests of one measured run. */
  readonly requests: number;
  readonly providers: readonly string[];
  readonly draining: ReadonlySet<string>;
  readonly down: ReadonlySet<string>;
}

/** Policies that the demo offers, and what each does. */
const POLICIES: Readonly<Record<DemoPolicy, string>> = {
  round_robin: 'Each in turn',
  random: 'Each request is drawn',
  deterministic: 'All to the first: what routing was before',
};

/** The buttons for a state. Pure: the page shows what follows from the state and nothing else. */
export function controlsFor(state: ControlsState): ControlsDocument {
  const measuring = state.traffic === 'measuring' ? 'wait: a run is being measured' : null;
  const wait = state.busy === null ? measuring : `wait: ${state.busy}`;
  return {
    busy: state.busy,
    groups: [
      { title: 'Traffic', controls: trafficControls(state, wait) },
      { title: 'Policy, by the GridNetwork manifest', controls: policyControls(state, wait) },
      ...state.providers.map((provider) => ({
        title: provider,
        controls: providerControls(state, provider, wait),
      })),
      { title: 'Overlay file', controls: [breakControl(wait)] },
    ],
  };
}

function trafficControls({ traffic, requests }: ControlsState, wait: string | null): Control[] {
  const flowing = traffic === 'flowing';
  return [
    {
      id: 'run-again',
      action: 'run-again',
      input: {},
      label: `Run ${requests} again`,
      help: 'Stops the control plane, sends the requests one by one and judges all eight proofs',
      pressed: null,
      disabled: wait ?? (flowing ? 'stop the steady traffic first' : null),
    },
    {
      id: 'steady',
      action: 'steady',
      input: { on: !flowing },
      label: 'Steady traffic',
      help: flowing
        ? 'Stops the traffic'
        : 'Sends requests until you stop it, so that every change shows at once',
      pressed: flowing,
      disabled: traffic === 'measuring' ? wait : null,
    },
  ];
}

function policyControls({ policy }: ControlsState, wait: string | null): Control[] {
  return Object.entries(POLICIES).map(([name, help]) => ({
    id: `policy-${name}`,
    action: 'policy',
    input: { policy: name },
    label: name.replaceAll('_', ' '),
    help,
    pressed: name === policy,
    disabled: wait,
  }));
}

function providerControls(
  { draining, down }: ControlsState,
  provider: string,
  wait: string | null,
): Control[] {
  const drains = draining.has(provider);
  const killed = down.has(provider);
  return [
    {
      id: `drain-${provider}`,
      action: 'drain',
      input: { provider, on: !drains },
      label: 'Drain',
      help: drains ? `${provider} takes new requests again` : `${provider} takes bound sessions only`,
      pressed: drains,
      disabled: wait ?? (killed ? 'its process is down' : null),
    },
    {
      id: `kill-${provider}`,
      action: killed ? 'restore' : 'kill',
      input: { provider },
      label: killed ? 'Restore' : 'Kill',
      help: killed
        ? `Starts the process of ${provider} again`
        : `Kills the process of ${provider}, as a crash would`,
      pressed: null,
      disabled: wait,
    },
  ];
}

function breakControl(wait: string | null): Control {
  return {
    id: 'break-overlay',
    action: 'break-overlay',
    input: {},
    label: 'Publish a broken overlay',
    help: 'Swaps in half a file; the gateway refuses it and goes on with what it has',
    pressed: null,
    disabled: wait,
  };
}
