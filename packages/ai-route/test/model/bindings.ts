import { type AttemptOutcome, OUTCOME_TABLE } from '../../src/index.ts';
import { LIMITS } from './limits.ts';
import type { Model } from './world.ts';

/** Where a session belongs. */
export interface Binding {
  site: string;
  confirmed: boolean;
  original: string | undefined;
  /** The confirmed one in whose place it came, while it is tentative. */
  before: Binding | undefined;
  usedMs: number;
}

/** What of a request bears on its session. */
export interface SessionRequest {
  readonly model: Model;
  readonly session: string | undefined;
  readonly tried: string[];
  /** The binding it found or made. */
  binding: Binding | undefined;
  /** The tentative binding that it made itself. */
  own: Binding | undefined;
  /** Whether a success elsewhere leaves a confirmed binding where it is. */
  keeps: boolean;
}

/** Sessions, told without a table's bounds. */
export class Bindings {
  readonly #failBack: boolean;
  readonly #now: () => number;
  readonly #bindings = new Map<string, Binding>();

  constructor(failBack: boolean, now: () => number) {
    this.#failBack = failBack;
    this.#now = now;
  }

  find(model: Model, session: string | undefined): Binding | undefined {
    const binding = session === undefined ? undefined : this.#bindings.get(`${model} ${session}`);
    return binding !== undefined && this.#now() < binding.usedMs + LIMITS.ttlMs ? binding : undefined;
  }

  bind(request: SessionRequest, site: string, confirmed: boolean): void {
    const found = request.binding;
    const before = found?.confirmed === true ? found : found?.before;
    let original: string | undefined;
    if (this.#failBack && before !== undefined) {
      original = before.original ?? before.site;
      if (original === site) original = undefined;
    }
    const usedMs = this.#now();
    request.binding = { site, confirmed, original, before: confirmed ? undefined : before, usedMs };
    if (!confirmed) request.own = request.binding;
    this.#bindings.set(keyOf(request), request.binding);
  }

  /** The request went on to another site: a binding of its own that never proved right goes along. */
  follow(request: SessionRequest): void {
    const held = this.find(request.model, request.session);
    const own = held !== undefined && held === request.binding && !held.confirmed;
    if (own) this.bind(request, request.tried.at(-1) ?? '', false);
  }

  /** The request ended at the last site it tried. */
  settle(request: SessionRequest, outcome: AttemptOutcome): void {
    const site = request.tried.at(-1) ?? '';
    const held = this.find(request.model, request.session);
    const { binding } = OUTCOME_TABLE[outcome.result];
    if (binding === 'confirmed' || (binding === 'confirmed once begun' && outcome.begun === true)) {
      const another = held !== undefined && held !== request.binding && held.site !== site;
      const keeps = held?.confirmed === true && held.site !== site && request.keeps;
      if (!another && !keeps) this.bind(request, site, true);
    } else if (held !== undefined && held === request.own) {
      const { before } = held;
      this.#bindings.delete(keyOf(request));
      if (before === undefined) return;
      before.usedMs = this.#now();
      this.#bindings.set(keyOf(request), before);
    }
  }
}

function keyOf({ model, session }: SessionRequest): string {
  return `${model} ${session}`;
}
