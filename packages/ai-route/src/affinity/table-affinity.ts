import type { AffinityOutcome, RouteRequest } from '../decision.ts';
import type { Standing } from '../live/standing.ts';
import type { Member } from '../snapshot/snapshot.ts';
import type { Remembered, SegmentedTable } from './segmented-table.ts';
import { type Affinity, type OnReturn, type Session, usableKey } from './session.ts';

/** Which candidate a session is bound to. Tentative from selection until an attempt has succeeded there. */
export interface Binding extends Remembered {
  readonly stableId: string;
  /** Where the session was before it failed over; only kept when it is to return. */
  readonly original: string | undefined;
  /** Of a tentative one: what held before, and holds again if nothing comes of it. Always confirmed. */
  readonly before: Binding | undefined;
}

/** Remembers in this process where each session belongs. */
export class TableAffinity implements Affinity {
  readonly #bindings: SegmentedTable<Binding>;
  readonly #onReturn: OnReturn;

  constructor(bindings: SegmentedTable<Binding>, onReturn: OnReturn) {
    this.#bindings = bindings;
    this.#onReturn = onReturn;
  }

  open(request: RouteRequest, standing: Standing): Session | undefined {
    const key = bindingKey(request);
    return key === undefined ? undefined : this.#session(key, this.#bindings.use(key), standing);
  }

  peek(request: RouteRequest, standing: Standing): Session | undefined {
    const key = bindingKey(request);
    return key === undefined ? undefined : this.#session(key, this.#bindings.peek(key), standing);
  }

  #session(key: string, binding: Binding | undefined, standing: Standing): Session {
    const returns = this.#onReturn === 'failBack';
    return new TableSession(this.#bindings, { key, binding, returns, bound: boundMember(binding, standing) });
  }
}

/** The member a binding leads to: the original one if it can serve, else the present one if that can. */
export function boundMember(
  binding: { readonly stableId: string; readonly original?: string | undefined } | undefined,
  standing: Standing,
): Member | undefined {
  if (binding === undefined) return undefined;
  const { byStableId } = standing.capability;
  for (const stableId of [binding.original, binding.stableId]) {
    const member = stableId === undefined ? undefined : byStableId.get(stableId);
    if (member !== undefined && standing.servesBound(member)) return member;
  }
  return undefined;
}

class TableSession implements Session {
  readonly bound: Member | undefined;
  readonly #bindings: SegmentedTable<Binding>;
  readonly #key: string;
  readonly #returns: boolean;
  /** What the request found, or has put in its place. */
  #binding: Binding | undefined;
  /** The tentative binding that this request made: nobody else lets it go. */
  #tentative: Binding | undefined;
  #outcome: AffinityOutcome;
  /** Whether a success elsewhere leaves a confirmed binding where it is. */
  #stays = false;

  constructor(
    bindings: SegmentedTable<Binding>,
    found: { key: string; binding: Binding | undefined; bound: Member | undefined; returns: boolean },
  ) {
    this.#bindings = bindings;
    this.#key = found.key;
    this.#returns = found.returns;
    this.#binding = found.binding;
    this.bound = found.bound;
    if (found.binding === undefined) this.#outcome = 'created';
    else this.#outcome = found.bound === undefined ? 'failed_over' : 'reused';
  }

  get outcome(): AffinityOutcome {
    return this.#outcome;
  }

  prefer(): undefined {
    return undefined;
  }

  begin(stableId: string): void {
    this.#tentative = this.#put(stableId, false);
    this.#binding = this.#tentative;
  }

  moveOn(stableId: string, rebinds: boolean): void {
    if (this.#outcome === 'reused') {
      this.#outcome = 'failed_over';
      this.#stays = !rebinds;
    }
    const held = this.#bindings.peek(this.#key);
    if (held !== undefined && held === this.#binding && !held.confirmed) this.begin(stableId);
  }

  /** Leaves alone what another request of the session has bound meanwhile. */
  confirm(stableId: string): void {
    const held = this.#bindings.peek(this.#key);
    if (held !== undefined && held !== this.#binding && held.stableId !== stableId) return;
    if (held?.confirmed === true && held.stableId !== stableId && this.#stays) return;
    this.#binding = this.#put(stableId, true);
  }

  drop(): void {
    const tentative = this.#tentative;
    if (tentative === undefined || this.#bindings.peek(this.#key) !== tentative) return;
    const { before } = tentative;
    // A session that only looked elsewhere, in vain, still belongs where it did.
    if (before === undefined) this.#bindings.delete(this.#key);
    else this.#bindings.put(this.#key, before);
  }

  token(): undefined {
    return undefined;
  }

  #put(stableId: string, confirmed: boolean): Binding {
    const found = this.#binding;
    const before = found?.confirmed === true ? found : found?.before;
    const home = this.#returns ? (before?.original ?? before?.stableId) : undefined;
    const original = home === stableId ? undefined : home;
    return this.#bindings.put(this.#key, {
      stableId,
      original,
      confirmed,
      before: confirmed ? undefined : before,
    });
  }
}

/** Namespaced by capability, so that two models in one conversation don't disturb each other. */
function bindingKey(request: RouteRequest): string | undefined {
  const { kind, name } = request;
  const key = usableKey(request);
  return key === undefined ? undefined : `${kind} ${name.length} ${name}${key}`;
}
