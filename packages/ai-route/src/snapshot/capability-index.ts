// Hot path: every decision begins here.
import type { CandidateKind } from '@switchyard/overlay-contract';
import { numbersOf } from './name-index.ts';
import { PlannedCapability, type SnapshotParts } from './planned-capability.ts';
import type { Capabilities, CapabilityName } from './snapshot.ts';

/**
 * The capabilities of a snapshot. One comes into being when it is first asked for, and is then kept: a new snapshot is
 * no more than a plan, and what becomes garbage with it is what was asked for.
 */
export class CapabilityIndex implements Capabilities {
  readonly length: number;
  readonly #parts: SnapshotParts;
  /** kind, then name. Nested maps spare the request a concatenated key. */
  readonly #asked = new Map<CandidateKind, Map<string, PlannedCapability>>();

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
    this.length = parts.plan.capabilityEnds.length;
  }

  /** The capability of this exact kind and name. */
  find({ kind, name }: CapabilityName): PlannedCapability | undefined {
    return this.#asked.get(kind)?.get(name) ?? this.#ask({ kind, name });
  }

  has(wanted: CapabilityName): boolean {
    return this.#lookUp(wanted) !== undefined;
  }

  /** Keeps a capability for whoever asks for it. */
  keep(capability: PlannedCapability): void {
    const { kind, name } = capability;
    const byName = this.#asked.get(kind) ?? new Map<string, PlannedCapability>();
    // By its own name: that of a request may be a part of a far longer text, which would be kept with it.
    this.#asked.set(kind, byName.set(name, capability));
  }

  /** Every capability, in the order of their groups' ordinals. Those that nobody asked for are made anew and not kept. */
  *[Symbol.iterator](): Generator<PlannedCapability, void, void> {
    for (let number = 0; number < this.length; number++) {
      const capability = new PlannedCapability(this.#parts, number);
      yield this.#asked.get(capability.kind)?.get(capability.name) ?? capability;
    }
  }

  #ask(wanted: CapabilityName): PlannedCapability | undefined {
    const capability = this.#lookUp(wanted);
    if (capability !== undefined) this.keep(capability);
    return capability;
  }

  #lookUp({ kind, name }: CapabilityName): PlannedCapability | undefined {
    for (const number of numbersOf(this.#parts.plan.names, name)) {
      const capability = new PlannedCapability(this.#parts, number);
      // Another name may have the same hash; the same name may be a model's and a tool's.
      if (capability.kind === kind && capability.name === name) return capability;
    }
    return undefined;
  }
}
