// Hot path: `out` and `advance` are asked once per request.
import type { Clock } from '../clock.ts';
import type { Draw } from '../random.ts';
import { ejectionLength, type ViabilityPolicy } from './viability-policy.ts';

/** What is remembered of a candidate that failed or was ejected. Of any other there is no record. */
export interface MemberHealth {
  /** Failures since the last success. */
  readonly failures: number;
  /** Ejections since the last success. */
  readonly ejections: number;
  /** `in`: serves. `out`: ejected, or its probe is under way. `due`: its time is over and it awaits its probe. */
  readonly state: 'in' | 'out' | 'due';
  /** The number of the request that is finding out if it is well again; 0 when none is. */
  readonly probe: number;
  /** When it is due, by the monotonic clock; meaningless while `in`. */
  readonly untilMs: number;
}

interface Health extends MemberHealth {
  failures: number;
  ejections: number;
  state: 'in' | 'out' | 'due';
  probe: number;
  untilMs: number;
  /** Tells the stretches of its life apart, each ejection and each time in service after one; 0 before the first. */
  epoch: number;
  /** How long the present ejection was meant to last. */
  lengthMs: number;
  /** Those of the failures that came after a first byte: another first byte doesn't make up for them. */
  broken: number;
}

/** What an attempt must present when it reports: it speaks of the candidate as it was when it started. */
export interface HealthTicket {
  readonly epoch: number;
  /** Its number if it is the candidate's probe, else 0. */
  readonly probe: number;
}

/** A failure. */
export interface Failure {
  readonly nowMs: number;
  /** How long the provider asks to be left alone, when the kind of failure makes that count. */
  readonly retryAfterMs: number | undefined;
  /** Whether somebody else could take new requests: the last one is never ejected. */
  readonly dispensable: boolean;
  /** Whether the first byte had been there. */
  readonly begun: boolean;
}

/** What a failure led to. */
export interface Ejection {
  /** For how long, in milliseconds. */
  readonly forMs: number;
  /** Whether the provider asked for it. */
  readonly asked: boolean;
}

/** How often what happened, from start. */
export interface HealthCounters {
  ejections: number;
  probes: number;
}

/** The ticket of an attempt at a candidate that serves, which is nearly every one. */
const PRISTINE: HealthTicket = Object.freeze({ epoch: 0, probe: 0 });

/**
 * Who of one capability is ejected. A member's life: `in` until enough failures in a row, `out` for a time that grows
 * with every ejection, then `due`: open to exactly one request, its probe. That one decides between `in` and `out`.
 *
 * An attempt speaks of the stretch in which it started, and of no other: ten requests failing at once are one ejection, a
 * stream that began in better days doesn't end it, and what hung all through it says nothing of a candidate that is back.
 */
export class CapabilityHealth {
  /** Grows whenever somebody goes out or comes back. */
  version = 0;
  readonly #policy: ViabilityPolicy;
  readonly #draw: Draw;
  readonly #counters: HealthCounters;
  readonly #records = new Map<string, Health>();
  #epochs = 0;
  /** When the next member is due. */
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(policy: ViabilityPolicy, draw: Draw, counters: HealthCounters) {
    this.#policy = policy;
    this.#draw = draw;
    this.#counters = counters;
  }

  /** Members of which something is remembered. */
  get size(): number {
    return this.#records.size;
  }

  get(stableId: string): MemberHealth | undefined {
    return this.#records.get(stableId);
  }

  /** Whether the member may not be picked now. True of a member whose probe is under way, too. */
  out(stableId: string): boolean {
    return this.#records.size > 0 && this.#records.get(stableId)?.state === 'out';
  }

  /** Whether the member serves without reserve. */
  well(stableId: string): boolean {
    return (this.#records.get(stableId)?.state ?? 'in') === 'in';
  }

  /** Lets time pass: members whose ejection is over become due. */
  advance(nowMs: number): void {
    if (nowMs < this.#dueMs) return;
    for (const health of this.#records.values()) {
      if (health.state !== 'out' || health.untilMs > nowMs) continue;
      health.state = 'due';
      // A probe that took as long as an ejection is given up for lost.
      health.probe = 0;
    }
    this.#changed();
  }

  /** An attempt starts. At a member that is due, it is the probe: nobody else gets in until it has ended. */
  begin(stableId: string, clock: Clock): HealthTicket {
    const health = this.#records.get(stableId);
    if (health === undefined || health.epoch === 0) return PRISTINE;
    if (health.state !== 'due') return { epoch: health.epoch, probe: 0 };
    health.state = 'out';
    health.probe = ++this.#counters.probes;
    // A provider that asked for a moment may yet need longer to answer.
    health.untilMs = clock.monotonicMs() + Math.max(health.lengthMs, this.#policy.ejectionMs);
    this.#changed();
    return { epoch: health.epoch, probe: health.probe };
  }

  /**
   * The first byte is there: the member serves, whatever becomes of the rest. Only a whole answer makes up for what broke
   * off after one, and for earlier ejections.
   * @returns Whether that brings the member back.
   */
  serve(stableId: string, { epoch }: HealthTicket): boolean {
    const health = this.#records.get(stableId);
    if (health === undefined || health.epoch !== epoch) return false;
    const { broken, ejections } = health;
    health.failures = broken;
    if (epoch === 0 && broken === 0) this.#records.delete(stableId);
    if (health.state === 'in') return false;
    const back = { ...pristine(), failures: broken, broken, ejections, epoch: ++this.#epochs };
    this.#records.set(stableId, back);
    this.#changed();
    return true;
  }

  /**
   * The attempt succeeded as a whole.
   * @returns Whether that brings the member back.
   */
  succeed(stableId: string, { epoch }: HealthTicket): boolean {
    const health = this.#records.get(stableId);
    if (health === undefined || health.epoch !== epoch) return false;
    const returns = health.state !== 'in';
    if (epoch === 0) this.#records.delete(stableId);
    else this.#records.set(stableId, { ...pristine(), epoch: returns ? ++this.#epochs : epoch });
    if (returns) this.#changed();
    return returns;
  }

  /**
   * The attempt failed.
   * @returns Undefined when the member is not ejected for it.
   */
  fail(stableId: string, { epoch }: HealthTicket, failure: Failure): Ejection | undefined {
    const { enabled, consecutiveFailures, retryAfterMaxMs } = this.#policy;
    const health = this.#records.get(stableId) ?? pristine();
    if (!enabled || health.epoch !== epoch) return undefined;
    const askedMs = Math.min(failure.retryAfterMs ?? 0, retryAfterMaxMs);
    const wasIn = health.state === 'in';
    if (askedMs > 0) {
      // The provider said how long: no longer than that, and no sign of illness.
      if (wasIn && !failure.dispensable) return undefined;
      this.#eject(stableId, health, { nowMs: failure.nowMs, lengthMs: askedMs });
      return { forMs: askedMs, asked: true };
    }
    health.failures++;
    if (failure.begun) health.broken++;
    this.#records.set(stableId, health);
    const due = consecutiveFailures > 0 && health.failures >= consecutiveFailures;
    if (wasIn && !(due && failure.dispensable)) return undefined;
    const lengthMs = ejectionLength(health.ejections, this.#policy, this.#draw);
    health.ejections++;
    this.#eject(stableId, health, { nowMs: failure.nowMs, lengthMs });
    return { forMs: lengthMs, asked: false };
  }

  /** The attempt ended without telling anything. Was it the probe, another one is needed. */
  release(stableId: string, { probe }: HealthTicket): void {
    const health = this.#records.get(stableId);
    if (probe === 0 || health?.probe !== probe) return;
    health.state = 'due';
    health.probe = 0;
    this.#changed();
  }

  /** Forgets members that are gone, except while they are ejected: one that is back in a moment isn't well for it. */
  prune(isThere: (stableId: string) => boolean): void {
    for (const [stableId, { state }] of this.#records)
      if (state !== 'out' && !isThere(stableId)) this.#records.delete(stableId);
  }

  #eject(stableId: string, health: Health, { nowMs, lengthMs }: { nowMs: number; lengthMs: number }): void {
    health.state = 'out';
    health.probe = 0;
    health.lengthMs = lengthMs;
    health.untilMs = nowMs + lengthMs;
    health.epoch = ++this.#epochs;
    this.#records.set(stableId, health);
    this.#counters.ejections++;
    this.#changed();
  }

  #changed(): void {
    this.version++;
    this.#dueMs = Number.POSITIVE_INFINITY;
    for (const { state, untilMs } of this.#records.values())
      if (state === 'out' && untilMs < this.#dueMs) this.#dueMs = untilMs;
  }
}

function pristine(): Health {
  return { failures: 0, ejections: 0, state: 'in', probe: 0, untilMs: 0, epoch: 0, lengthMs: 0, broken: 0 };
}
