import type { Ejection } from '@switchyard/trace-view';
import type { ProcessEvent } from '../../run/topology.ts';

/** Most ejections that are remembered; the oldest leave. */
const MAX = 200;

/** Follows what the gateway logs of providers that it leaves out by itself. */
export class Ejections {
  #entries: readonly Ejection[] = [];

  get entries(): readonly Ejection[] {
    return this.#entries;
  }

  /** Providers that are left out now. */
  now(): ReadonlySet<string> {
    return new Set(this.#entries.filter(({ untilMs }) => untilMs === null).map(({ provider }) => provider));
  }

  /** Takes a line of the gateway's log. Returns whether it was about an ejection. */
  logged(event: ProcessEvent): boolean {
    const provider = String(event['provider']);
    const atMs = Date.parse(String(event['time']));
    switch (event['event']) {
      case 'candidate_ejected':
        this.#end(provider, atMs);
        this.#entries = [
          ...this.#entries.slice(1 - MAX),
          { provider, fromMs: atMs, untilMs: null, result: String(event['result']) },
        ];
        return true;
      case 'candidate_recovered':
        this.#end(provider, atMs);
        return true;
      default:
        return false;
    }
  }

  #end(provider: string, untilMs: number): void {
    this.#entries = this.#entries.map((entry) =>
      entry.provider === provider && entry.untilMs === null ? { ...entry, untilMs } : entry,
    );
  }
}
