import type { Clock } from '../clock.ts';
import { CapabilityHealth, type HealthCounters } from '../health/capability-health.ts';
import type { ViabilityPolicy } from '../health/viability-policy.ts';
import type { Draw } from '../random.ts';
import type { Capability, CapabilityName } from '../snapshot/snapshot.ts';
import type { LiveCapability } from './live-capability.ts';
import { Standing } from './standing.ts';
import { UnderWay } from './under-way.ts';

/** What live states are made with. */
export interface LiveOptions {
  readonly viability: ViabilityPolicy;
  /** Draws for jitter. */
  readonly draw: Draw;
  readonly clock: Clock;
  /** Whether the present snapshot has the capability. */
  readonly serves: (name: CapabilityName) => boolean;
}

/** States that are kept without asking whether their capability is still there. */
const UNSWEPT_MAX = 64;

/**
 * What is under way and known of every capability that was asked for, carried over reloads by name. One that left the
 * overlay is forgotten once nothing is under way and nobody ejected: the number of states stays within twice those served.
 */
export class LiveStates {
  readonly counters: HealthCounters = { ejections: 0, probes: 0 };
  readonly #options: LiveOptions;
  readonly #states = new Map<string, { readonly name: CapabilityName; readonly live: LiveCapability }>();
  /** By the capability of a snapshot, so that neither a request concatenates a key nor a state holds a snapshot. */
  readonly #standings = new WeakMap<Capability, Standing>();
  #sweepAt = UNSWEPT_MAX;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  /** How `capability` stands, as of its last refresh. */
  of(capability: Capability): Standing {
    const known = this.#standings.get(capability);
    if (known !== undefined) return known;
    const standing = new Standing(capability, this.#liveOf(capability));
    this.#standings.set(capability, standing);
    return standing;
  }

  /** Like {@link of}, but to look is not to ask: of a capability that nobody asked for, nothing is kept. */
  look(capability: Capability): Standing {
    const known = this.#standings.get(capability);
    return known ?? new Standing(capability, this.#states.get(keyOf(capability))?.live ?? this.#newLive());
  }

  /** Everything that is under way. */
  load(): { inFlight: number; retrying: number } {
    const sum = { inFlight: 0, retrying: 0 };
    const nowMs = this.#options.clock.monotonicMs();
    for (const { live } of this.#states.values()) {
      const { inFlight, retrying } = live.underWay.load(nowMs);
      sum.inFlight += inFlight;
      sum.retrying += retrying;
    }
    return sum;
  }

  /** The capabilities with anything to tell of their members' health. */
  ailing(): CapabilityName[] {
    return [...this.#states.values()].filter(({ live }) => live.health.size > 0).map(({ name }) => name);
  }

  #liveOf({ kind, name }: CapabilityName): LiveCapability {
    const key = keyOf({ kind, name });
    const known = this.#states.get(key);
    if (known !== undefined) return known.live;
    if (this.#states.size >= this.#sweepAt) this.#sweep();
    const live = this.#newLive();
    this.#states.set(key, { name: { kind, name }, live });
    return live;
  }

  #newLive(): LiveCapability {
    const { viability, draw } = this.#options;
    return { underWay: new UnderWay(), health: new CapabilityHealth(viability, draw, this.counters) };
  }

  #sweep(): void {
    const { clock, serves } = this.#options;
    const nowMs = clock.monotonicMs();
    for (const [key, { name, live }] of this.#states) {
      if (serves(name)) continue;
      live.health.advance(nowMs);
      live.health.prune(() => false);
      if (live.underWay.load(nowMs).inFlight === 0 && live.health.size === 0) this.#states.delete(key);
    }
    this.#sweepAt = 2 * this.#states.size + UNSWEPT_MAX;
  }
}

function keyOf({ kind, name }: CapabilityName): string {
  return `${kind} ${name}`;
}
