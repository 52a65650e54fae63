import {
  type HealthTarget,
  healthTarget,
  type InferenceProvider,
  type ProviderPhase,
} from '@switchyard/grid-core';
import { type ProbeResult, probe } from './probe.ts';
import { afterProbe, NEVER_PROBED, type ProbeMemory } from './provider-phase.ts';

/** What a prober needs. */
export interface ProberOptions {
  readonly failureThreshold: number;
  /** A provider's phase changed. */
  readonly onChange: (provider: string, memory: ProbeMemory) => void;
  /** Asks one endpoint. Default: over HTTP. */
  readonly ask?: (url: string, timeoutMs: number, signal: AbortSignal) => Promise<ProbeResult>;
}

interface Watched {
  readonly target: HealthTarget;
  readonly timer: NodeJS.Timeout;
  /** Aborts what is being asked. */
  readonly stop: AbortController;
  readonly first: Promise<void>;
  memory: ProbeMemory;
}

/** Probes every provider's health endpoint at its own interval. */
export class Prober {
  readonly #options: ProberOptions;
  readonly #watched = new Map<string, Watched>();
  #closed = false;

  constructor(options: ProberOptions) {
    this.#options = options;
  }

  /**
   * Starts probing new providers, stops for those that are gone. A changed endpoint starts anew; a changed interval or
   * timeout keeps what is known.
   */
  watch(providers: readonly InferenceProvider[]): void {
    if (this.#closed) return;
    const wanted = new Map(providers.map((provider) => [provider.metadata.name, healthTarget(provider)]));
    for (const [name, watched] of this.#watched) {
      if (!sameTarget(wanted.get(name), watched.target)) {
        this.#forget(name);
        const target = wanted.get(name);
        if (target?.url === watched.target.url) this.#start(name, target, watched.memory);
      }
    }
    for (const [name, target] of wanted) {
      if (target !== undefined && !this.#watched.has(name)) this.#start(name, target, NEVER_PROBED);
    }
  }

  /** Resolves when every watched provider was probed at least once. */
  async settled(): Promise<void> {
    await Promise.all([...this.#watched.values()].map(({ first }) => first));
  }

  /** What is known now; a provider without a health endpoint stays `unknown`. */
  phases(): Map<string, ProviderPhase> {
    return new Map([...this.#watched].map(([name, { memory }]) => [name, memory.phase]));
  }

  /** Phase, failures and detail of every watched provider. */
  memories(): Map<string, ProbeMemory> {
    return new Map([...this.#watched].map(([name, { memory }]) => [name, memory]));
  }

  /** Stops probing for good; what is being asked is aborted. */
  close(): void {
    this.#closed = true;
    for (const name of [...this.#watched.keys()]) this.#forget(name);
  }

  #start(name: string, target: HealthTarget, memory: ProbeMemory): void {
    const ask = target.tls === undefined ? (this.#options.ask ?? probe) : leaveUnasked;
    const stop = new AbortController();
    let busy = false;
    const once = async (): Promise<void> => {
      if (busy) return; // a slow endpoint is not asked twice at a time
      busy = true;
      const result = await ask(target.url, target.timeoutMs, stop.signal);
      busy = false;
      if (stop.signal.aborted) return; // forgotten while the answer was on its way
      const before = watched.memory;
      watched.memory = afterProbe(before, result, this.#options.failureThreshold);
      const told = before === NEVER_PROBED && result.outcome === 'unasked';
      if (before.phase !== watched.memory.phase || told) this.#options.onChange(name, watched.memory);
    };
    const timer = setInterval(() => void once(), target.intervalMs);
    const first = memory === NEVER_PROBED ? Promise.resolve().then(once) : Promise.resolve();
    const watched: Watched = { target, timer, stop, first, memory };
    this.#watched.set(name, watched);
  }

  #forget(name: string): void {
    const watched = this.#watched.get(name);
    clearInterval(watched?.timer);
    watched?.stop.abort();
    this.#watched.delete(name);
  }
}

/** TLS material of manifests lies in Secrets, which this version does not read; probing without it would lie. */
async function leaveUnasked(): Promise<ProbeResult> {
  return {
    outcome: 'unasked',
    detail: 'not probed: healthCheck.tls is not supported yet, so the provider counts as usable',
  };
}

function sameTarget(a: HealthTarget | undefined, b: HealthTarget): boolean {
  return (
    a?.url === b.url &&
    (a.tls === undefined) === (b.tls === undefined) &&
    a.timeoutMs === b.timeoutMs &&
    a.intervalMs === b.intervalMs
  );
}
