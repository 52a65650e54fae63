import type { AffinityOutcome, RouteRequest } from '../decision.ts';
import type { Capability, Member } from '../snapshot/snapshot.ts';
import { servesBoundSessions } from '../snapshot/viability.ts';
import type { Binding, BindingTable } from './binding-table.ts';

/** Longer keys are treated as none, as are empty ones: hashing "no session" would bind everyone to one provider. */
const SESSION_KEY_BYTES_MAX = 256;

/** Keeps a conversation with the provider that holds its context. */
export class SessionAffinity {
  readonly #bindings: BindingTable;

  constructor(bindings: BindingTable) {
    this.#bindings = bindings;
  }

  /** The session of a request; undefined when it has no usable key. Its binding counts as used. */
  open(request: RouteRequest, capability: Capability): Session | undefined {
    const key = bindingKey(request);
    if (key === undefined) return undefined;
    return new Session(this.#bindings, capability, { key, binding: this.#bindings.use(key) });
  }

  /** Like {@link open}, but nothing counts as used. */
  peek(request: RouteRequest, capability: Capability): Session | undefined {
    const key = bindingKey(request);
    if (key === undefined) return undefined;
    return new Session(this.#bindings, capability, { key, binding: this.#bindings.peek(key) });
  }
}

/** One request's view of its session. */
export class Session {
  /** The bound candidate, when the snapshot has it and its admission permits it to stay. */
  readonly bound: Member | undefined;
  readonly #bindings: BindingTable;
  readonly #key: string;
  #binding: Binding | undefined;
  #outcome: AffinityOutcome;

  constructor(
    bindings: BindingTable,
    capability: Capability,
    { key, binding }: { readonly key: string; readonly binding: Binding | undefined },
  ) {
    this.#bindings = bindings;
    this.#key = key;
    this.#binding = binding;
    const member = binding && capability.byStableId.get(binding.stableId);
    this.bound = member !== undefined && servesBoundSessions(member.closed) ? member : undefined;
    if (binding === undefined) this.#outcome = 'created';
    else this.#outcome = this.bound === undefined ? 'failed_over' : 'reused';
  }

  get outcome(): AffinityOutcome {
    return this.#outcome;
  }

  /** Binds the session at selection, for as long as no outcome is known. */
  bindTentatively(stableId: string): void {
    this.#binding = this.#bindings.put({ key: this.#key, stableId, confirmed: false });
  }

  /** The request goes on to another candidate. A confirmed binding stays until that one has succeeded. */
  moveOn(stableId: string): void {
    if (this.#outcome === 'reused') this.#outcome = 'failed_over';
    const held = this.#bindings.peek(this.#key);
    if (held !== undefined && held === this.#binding && !held.confirmed) this.bindTentatively(stableId);
  }

  /** The attempt at `stableId` succeeded. Leaves alone what another request of the session has bound meanwhile. */
  confirm(stableId: string): void {
    const held = this.#bindings.peek(this.#key);
    if (held !== undefined && held !== this.#binding && held.stableId !== stableId) return;
    this.#binding = this.#bindings.put({ key: this.#key, stableId, confirmed: true });
  }

  /** The request ended without success at `stableId`. */
  drop(stableId: string): void {
    const held = this.#bindings.peek(this.#key);
    if (held !== undefined && !held.confirmed && held.stableId === stableId) this.#bindings.delete(this.#key);
  }
}

/** Namespaced by capability, so that two models in one conversation don't disturb each other. */
function bindingKey({ kind, name, sessionKey }: RouteRequest): string | undefined {
  if (sessionKey === undefined || sessionKey.length === 0) return undefined;
  if (Buffer.byteLength(sessionKey) > SESSION_KEY_BYTES_MAX) return undefined;
  return `${kind} ${name.length} ${name}${sessionKey}`;
}
