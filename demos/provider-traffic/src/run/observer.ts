import type { BackendReply, RequestRecord, Screen } from '@switchyard/demo-kit';
import type { DemoPolicy } from '../records/types.ts';
import type { ProcessEvent, Topology } from './topology.ts';

/** The measured window that opens. */
export interface OpenedWindow {
  readonly requested: number;
  readonly policy: DemoPolicy;
  readonly startedAt: string;
}

/** What is being done now. */
export interface RunStep {
  readonly phase: 'starting' | 'waiting' | 'settling';
  /** Such as `starting three model backends`. */
  readonly text: string;
}

/** Who looks on while a run goes on. Told of everything at once; changes nothing. */
export interface RunObserver {
  step(step: RunStep): void;
  /** Everything runs; no traffic yet. */
  ready(topology: Topology): void;
  windowOpened(window: OpenedWindow): void;
  sent(record: RequestRecord): void;
  replied(reply: BackendReply): void;
  /** A line of the consumer gateway's log. */
  gatewayLogged(event: ProcessEvent): void;
}

/** Shows a run on the terminal's live line. */
export function screenObserver(screen: Screen): RunObserver {
  let requested = 0;
  return {
    step: ({ text }) => screen.live(`${text} ...`),
    ready: () => undefined,
    windowOpened: (window) => {
      requested = window.requested;
    },
    sent: ({ n, provider }) => screen.live(`request ${n}/${requested}  ${provider ?? 'failed'}`),
    replied: () => undefined,
    gatewayLogged: () => undefined,
  };
}

/** Tells each of them. */
export function observedBy(observers: readonly RunObserver[]): RunObserver {
  const each =
    <T>(tell: (observer: RunObserver, fact: T) => void) =>
    (fact: T): void => {
      for (const observer of observers) tell(observer, fact);
    };
  return {
    step: each((observer, step: RunStep) => observer.step(step)),
    ready: each((observer, topology: Topology) => observer.ready(topology)),
    windowOpened: each((observer, window: OpenedWindow) => observer.windowOpened(window)),
    sent: each((observer, record: RequestRecord) => observer.sent(record)),
    replied: each((observer, reply: BackendReply) => observer.replied(reply)),
    gatewayLogged: each((observer, event: ProcessEvent) => observer.gatewayLogged(event)),
  };
}
