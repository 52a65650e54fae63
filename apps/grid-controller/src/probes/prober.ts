import { healthTarget, type InferenceProvider, type ProviderPhase } from '@switchyard/grid-core';
import { type ProbeResult, probe } from './probe.ts';
import { afterProbe, NEVER_PROBED, type ProbeMemory } from './provider-phase.ts';

/** What a prober needs. */
export interface ProberOptions {
  readonly failureThreshold: number;
  /** A provider's phase changed. */
  readonly onChange: (provider: string, memory: ProbeMemory) => void;
  /** Asks one endpoint. Default: over HTTP. */
  readonly ask?: (url: string, timeoutMs: number) => Promise<ProbeResult>;
}

interface Watched {
  readonly url: string;
  readonly timer: NodeJS.Timeout;
  readonly first: Promise<void>;
  memory: ProbeMemory;
}

/** Probes every provider's health endpoint at its own interval. */
export class Prober {
  readonly #options: ProberOptions;
  readonly #watched = new Map<string, Watched>();

  constructor(options: ProberOptions) {
    this.#options = options;
  }

  /** Starts probing new providers, stops for those that are gone; a changed endpoint starts anew. */
  watch(providers: readonly InferenceProvider[]): void {
    const wanted = new Map(providers.map((provider) => [provider.metadata.name, provider]));
    for (const [name, { url }] of this.#watched) {
      const provider = wanted.get(name);
      if (provider === undefined || healthTarget(provider)?.url !== url) this.#forget(name);
    }
    for (const [name, provider] of wanted) {
      if (!this.#watched.has(name)) this.#start(name, provider);
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

  /** Stops probing. */
  close(): void {
    for (const name of [...this.#watched.keys()]) this.#forget(name);
  }

  #start(name: string, provider: InferenceProvider): void {
    const target = healthTarget(provider);
    if (target === undefined) return;
    const ask = this.#options.ask ?? probe;
    let busy = false;
    const once = async (): Promise<void> => {
      if (busy) return; // a slow endpoint is not asked twice at a time
      busy = true;
      const result = await ask(target.url, target.timeoutMs);
      busy = false;
      const watched = this.#watched.get(name);
      if (watched?.url !== target.url) return; // forgotten while the answer was on its way
      const before = watched.memory;
      watched.memory = afterProbe(before, result, this.#options.failureThreshold);
      if (before.phase !== watched.memory.phase) this.#options.onChange(name, watched.memory);
    };
    const timer = setInterval(() => void once(), target.intervalMs);
    const watched: Watched = {
      url: target.url,
      timer,
      first: Promise.resolve().then(once),
      memory: NEVER_PROBED,
    };
    this.#watched.set(name, watched);
  }

  #forget(name: string): void {
    clearInterval(this.#watched.get(name)?.timer);
    this.#watched.delete(name);
  }
}
