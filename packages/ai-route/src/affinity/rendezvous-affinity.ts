import type { AffinityOutcome, RouteRequest } from '../decision.ts';
import type { Standing } from '../live/standing.ts';
import type { MemberSet } from '../snapshot/member-set.ts';
import type { Group } from '../snapshot/snapshot.ts';
import { hashOf, Rendezvous } from './rendezvous.ts';
import { type Affinity, type Session, usableKey } from './session.ts';

/**
 * Remembers nothing: where a session belongs follows from its key and who can serve, so every gateway with the same
 * overlay says the same. Whether a session is new it can't tell, so a provider that takes only existing ones gets none.
 */
export class RendezvousAffinity implements Affinity {
  readonly #rendezvous = new Rendezvous();

  open(request: RouteRequest, standing: Standing): Session | undefined {
    const key = usableKey(request);
    // A policy that always names the first in order has nothing to share out.
    if (key === undefined || standing.capability.policy === 'deterministic') return undefined;
    return new RendezvousSession(this.#rendezvous, key, standing.capability.active);
  }

  peek(request: RouteRequest, standing: Standing): Session | undefined {
    return this.open(request, standing);
  }
}

class RendezvousSession implements Session {
  readonly bound: undefined;
  readonly #rendezvous: Rendezvous;
  readonly #hash: readonly [number, number];
  /** The group that would serve if nobody were ejected. */
  readonly #home: Group | undefined;
  #outcome: AffinityOutcome = 'reused';

  constructor(rendezvous: Rendezvous, key: string, home: Group | undefined) {
    this.#rendezvous = rendezvous;
    this.#hash = hashOf(key);
    this.#home = home;
  }

  get outcome(): AffinityOutcome {
    return this.#outcome;
  }

  prefer(group: Group, open: MemberSet): number {
    const position = this.#rendezvous.winner(this.#hash, group, open);
    // Who would win if nobody were ejected or tried? Only then is it a failing over, and not just the overlay's change.
    const ideal = open === group.open ? position : this.#rendezvous.winner(this.#hash, group, group.open);
    if (position !== ideal || group !== this.#home) this.#outcome = 'failed_over';
    return position;
  }

  begin(): void {}

  moveOn(): void {
    this.#outcome = 'failed_over';
  }

  confirm(): void {}

  drop(): void {}

  token(): undefined {
    return undefined;
  }
}
