import type { OverlayEntry, ProviderNode, TopologyDocument } from '@switchyard/trace-view';

/** What the picture of the topology is made from. */
export interface TopologyFacts {
  /** Provider name to backend name. */
  readonly backends: Readonly<Record<string, string>>;
  readonly serving: OverlayEntry | null;
  /** Providers whose process was killed. */
  readonly down: ReadonlySet<string>;
  /** Providers that the gateway leaves out by itself. */
  readonly ejected: ReadonlySet<string>;
  readonly controllerStopped: boolean;
  readonly failedAttempts: Readonly<Record<string, number>>;
}

/** Who talks to whom, and in which state each one is. */
export function topologyDocument(facts: TopologyFacts): TopologyDocument {
  return {
    client: 'demo client',
    gateway: 'consumer-gateway',
    controller: { name: 'grid-controller', state: facts.controllerStopped ? 'stopped' : 'running' },
    providers: Object.entries(facts.backends).map(([name, backend]) => {
      const candidate = facts.serving?.candidates.find(({ provider }) => provider === name);
      return {
        name,
        site: candidate?.site ?? 'not in the overlay',
        backend,
        state: stateOf(facts, name, candidate?.admission),
        failedAttempts: facts.failedAttempts[name] ?? 0,
      };
    }),
  };
}

function stateOf(
  { down, ejected }: TopologyFacts,
  name: string,
  admission: string | undefined,
): ProviderNode['state'] {
  if (down.has(name)) return 'down';
  if (ejected.has(name)) return 'ejected';
  return admission === 'existing_only' ? 'draining' : 'up';
}
