import type { Clock } from '../clock.ts';
import type { AffinityOutcome, RouteRequest } from '../decision.ts';
import type { Standing } from '../live/standing.ts';
import type { Capability, Member } from '../snapshot/snapshot.ts';
import { type BindingTokens, capabilityTag, TOKEN_LENGTH_MAX, type TokenBinding } from './binding-token.ts';
import { type Affinity, type OnReturn, type Session, usableKey } from './session.ts';
import { boundMember } from './table-affinity.ts';

/** What cookie affinity is made with. */
export interface CookieAffinityOptions {
  readonly tokens: BindingTokens;
  readonly ttlMs: number;
  readonly onReturn: OnReturn;
  readonly clock: Clock;
}

/**
 * Lets the client keep where its session belongs, in a token that only gateways with the key can make. The request's
 * session key is that token. It outlives restarts and holds for every replica; a forged or expired one is none.
 */
export class CookieAffinity implements Affinity {
  readonly #options: CookieAffinityOptions;
  readonly #tags = new WeakMap<Capability, string>();

  constructor(options: CookieAffinityOptions) {
    this.#options = options;
  }

  open(request: RouteRequest, standing: Standing): Session {
    const { tokens, ttlMs, onReturn, clock } = this.#options;
    const token = usableKey(request, TOKEN_LENGTH_MAX);
    const opened = token === undefined ? undefined : tokens.open(token);
    const tag = this.#tagOf(standing.capability);
    // The one place where time of day counts: the token outlives this process, and so must its expiry.
    const now = Math.floor(clock.now() / 1000);
    const valid = opened?.bindings.filter(({ expiresAt }) => now < expiresAt) ?? [];
    const held = valid.find(({ capability }) => capability === tag);
    return new CookieSession({
      tokens,
      tag,
      held,
      others: valid.filter((binding) => binding !== held),
      bound: boundMember(held, standing),
      now,
      ttlSeconds: ttlMs / 1000,
      returns: onReturn === 'failBack',
      current: opened?.current ?? false,
    });
  }

  peek(request: RouteRequest, standing: Standing): Session {
    return this.open(request, standing);
  }

  #tagOf(capability: Capability): string {
    const known = this.#tags.get(capability);
    if (known !== undefined) return known;
    const tag = capabilityTag(capability);
    this.#tags.set(capability, tag);
    return tag;
  }
}

interface CookieSessionParts {
  readonly tokens: BindingTokens;
  readonly tag: string;
  readonly held: TokenBinding | undefined;
  /** Of other capabilities. */
  readonly others: readonly TokenBinding[];
  readonly bound: Member | undefined;
  /** Seconds since the Unix epoch. */
  readonly now: number;
  readonly ttlSeconds: number;
  readonly returns: boolean;
  readonly current: boolean;
}

class CookieSession implements Session {
  readonly bound: Member | undefined;
  readonly #parts: CookieSessionParts;
  #outcome: AffinityOutcome;
  /** Whether a success elsewhere leaves the binding where it is. */
  #stays = false;

  constructor(parts: CookieSessionParts) {
    this.#parts = parts;
    this.bound = parts.bound;
    if (parts.held === undefined) this.#outcome = 'created';
    else this.#outcome = parts.bound === undefined ? 'failed_over' : 'reused';
  }

  get outcome(): AffinityOutcome {
    return this.#outcome;
  }

  prefer(): undefined {
    return undefined;
  }

  begin(): void {}

  moveOn(_stableId: string, rebinds: boolean): void {
    if (this.#outcome !== 'reused') return;
    this.#outcome = 'failed_over';
    this.#stays = !rebinds;
  }

  confirm(): void {}

  drop(): void {}

  token(answering: string): string | undefined {
    const { tokens, tag, held, others, now, ttlSeconds, returns, current } = this.#parts;
    const stableId = this.#stays && held !== undefined ? held.stableId : answering;
    const lasting = held !== undefined && held.expiresAt - now > ttlSeconds / 2;
    if (held?.stableId === stableId && lasting && current) return undefined;
    const from = returns ? (held?.original ?? held?.stableId) : undefined;
    const binding = {
      capability: tag,
      expiresAt: now + ttlSeconds,
      stableId,
      original: from === stableId ? undefined : from,
    };
    return tokens.seal([binding, ...others]);
  }
}
