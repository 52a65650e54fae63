import type {
  AffinityOutcome,
  AttemptOutcome,
  DecisionReason,
  RetryRefusalReason,
  SkippedCandidate,
  SkipReason,
} from '../../src/index.ts';
import { OUTCOME_TABLE } from '../../src/index.ts';
import { type Binding, Bindings, type SessionRequest } from './bindings.ts';
import type { Expected, ExpectedChoice } from './expected.ts';
import { LIMITS } from './limits.ts';
import { type Attempt, Lives } from './lives.ts';
import { idOf, type Model, type Publication } from './world.ts';

/** A request under way. */
export interface Request extends Attempt, SessionRequest {
  readonly publication: Publication;
  readonly startedMs: number;
  readonly held: boolean;
  affinity: AffinityOutcome;
  told: boolean;
  retried: boolean;
}

/**
 * DESIGN §5 once more: slow, obvious, and written without a look at how the router does it. It knows who may be chosen;
 * whose turn it is among equals is judged elsewhere.
 */
export class Reference {
  #publication: Publication = { policy: 'round_robin', groups: [] };
  #nowMs = 0;
  readonly #lives = new Lives(() => this.#nowMs);
  readonly #bindings: Bindings;
  readonly #holders = new Map<string, string>();
  readonly #open: Request[] = [];

  constructor(failBack: boolean) {
    this.#bindings = new Bindings(failBack, () => this.#nowMs);
  }

  publish(publication: Publication): void {
    this.#publication = publication;
  }

  wait(ms: number): void {
    this.#nowMs += ms;
  }

  /** Sites that take new requests of `model` now: those of the best group that has any. */
  openSites(model: Model): readonly string[] {
    return this.#bestGroup(model)?.sites ?? [];
  }

  expectSelect(
    model: Model,
    session?: string,
    state?: string,
  ): Expected<'no_viable_candidate' | 'state_unavailable' | 'unknown_capability'> {
    const { groups } = this.#publication;
    if (groups.every((group) => group.sites.length === 0)) return { ok: false, reason: 'unknown_capability' };
    const holder = state === undefined ? undefined : this.#holders.get(state);
    if (holder !== undefined) {
      if (!this.#mayStay(model, holder)) return { ok: false, reason: 'state_unavailable' };
      return this.#choice([holder], 'state', { affinity: 'reused', skipped: [] });
    }
    const binding = this.#bindings.find(model, session);
    const bound = this.#boundSite(model, binding);
    if (bound !== undefined) return this.#choice([bound], 'affinity', { affinity: 'reused', skipped: [] });
    let affinity: AffinityOutcome = 'disabled';
    if (session !== undefined) affinity = binding === undefined ? 'created' : 'failed_over';
    const best = this.#bestGroup(model);
    if (best === undefined) {
      const worst = this.#leastBad(model);
      if (worst === undefined) return { ok: false, reason: 'no_viable_candidate' };
      const skipped = this.#skipped(model, undefined).filter(
        ({ stableId }) => stableId !== idOf(model, worst),
      );
      return this.#choice([worst], 'last_resort', { affinity, skipped });
    }
    return this.#choice(best.sites, this.#byPolicy(), {
      affinity,
      skipped: this.#skipped(model, best.index),
    });
  }

  /** The request went to `site`, which was one of those expected. */
  select(
    model: Model,
    site: string,
    named: { session?: string | undefined; state?: string | undefined },
  ): Request {
    const held = named.state !== undefined && this.#holders.has(named.state);
    const session = held ? undefined : named.session;
    const binding = this.#bindings.find(model, session);
    const reused = binding !== undefined && this.#boundSite(model, binding) === site;
    const request: Request = {
      model,
      publication: this.#publication,
      startedMs: this.#nowMs,
      session,
      held,
      tried: [site],
      period: this.#lives.period(idOf(model, site)),
      binding,
      own: undefined,
      affinity: binding === undefined ? 'created' : reused ? 'reused' : 'failed_over',
      keeps: false,
      begun: false,
      told: false,
      retried: false,
    };
    if (binding !== undefined) binding.usedMs = this.#nowMs;
    if (session !== undefined && !reused) this.#bindings.bind(request, site, false);
    this.#lives.arrive(request, idOf(request.model, site));
    this.#open.push(request);
    return request;
  }

  expectNext(request: Request, outcome: AttemptOutcome): Expected<RetryRefusalReason> {
    const { model, tried, publication } = request;
    if (!OUTCOME_TABLE[outcome.result].movesOn) return { ok: false, reason: 'not_retryable' };
    if (outcome.replayable === false) return { ok: false, reason: 'not_replayable' };
    if (tried.length >= LIMITS.attempts) return { ok: false, reason: 'attempts_exhausted' };
    if (this.#nowMs - request.startedMs > LIMITS.withinMs) return { ok: false, reason: 'too_slow' };
    const ofModel = this.#open.filter((other) => other.model === model);
    const retrying = ofModel.filter(({ retried }) => retried).length;
    const allowed = Math.max(LIMITS.minConcurrent, Math.floor(LIMITS.ratio * ofModel.length));
    if (!request.retried && retrying >= allowed) return { ok: false, reason: 'budget_exhausted' };
    if (request.held) return { ok: false, reason: 'no_viable_candidate' };
    for (const [index, { sites, admission }] of publication.groups.entries()) {
      const left = sites.filter(
        (site) => admission === 'new_and_existing' && !tried.includes(site) && this.#takesNew(model, site),
      );
      if (left.length === 0) continue;
      const last = tried.at(-1) ?? '';
      const before = publication.groups.findIndex((group) => group.sites.includes(last));
      const affinity =
        request.session === undefined
          ? 'disabled'
          : request.affinity === 'reused'
            ? 'failed_over'
            : request.affinity;
      const skipped: SkippedCandidate[] = [];
      return {
        ok: true,
        sites: publication.policy === 'deterministic' ? [left.toSorted()[0] ?? ''] : left,
        group: index,
        reason: byPolicy(publication),
        affinity,
        skipped,
        fallthrough: before !== index,
      };
    }
    return { ok: false, reason: 'no_viable_candidate' };
  }

  /** The first byte is there. */
  begin(request: Request): void {
    this.#lives.begin(request, idOf(request.model, request.tried.at(-1) ?? ''));
  }

  /** The attempt came to `outcome`, as the router is told by `next` or `end`. */
  tell(request: Request, outcome: AttemptOutcome): void {
    if (request.told) return;
    request.told = true;
    const { model } = request;
    const site = request.tried.at(-1) ?? '';
    const others = this.#publication.groups
      .filter(({ admission }) => admission === 'new_and_existing')
      .flatMap(({ sites }) => sites)
      .filter((other) => other !== site)
      .map((other) => idOf(model, other));
    this.#lives.tell(request, idOf(model, site), { outcome, others });
  }

  /** The request went on to `site`. */
  moveOn(request: Request, site: string, outcome: AttemptOutcome): void {
    if (request.affinity === 'reused') {
      request.affinity = 'failed_over';
      request.keeps = !OUTCOME_TABLE[outcome.result].rebinds;
    }
    request.tried.push(site);
    request.told = false;
    request.begun = false;
    request.retried = true;
    this.#bindings.follow(request);
    request.period = this.#lives.period(idOf(request.model, site));
    this.#lives.arrive(request, idOf(request.model, site));
  }

  end(request: Request, outcome: AttemptOutcome): void {
    this.tell(request, outcome);
    this.#open.splice(this.#open.indexOf(request), 1);
    if (request.session !== undefined) this.#bindings.settle(request, outcome);
  }

  learn(state: string, site: string): void {
    this.#holders.set(state, site);
  }

  /** Sites of `model` that are ejected or being probed. */
  outSites(model: Model): string[] {
    return this.#publication.groups
      .flatMap(({ sites }) => sites)
      .filter((site) => this.#lives.isOut(idOf(model, site)));
  }

  #admission(site: string): string {
    return this.#publication.groups.find(({ sites }) => sites.includes(site))?.admission ?? 'excluded';
  }

  #takesNew(model: Model, site: string): boolean {
    return this.#admission(site) === 'new_and_existing' && !this.#lives.isOut(idOf(model, site));
  }

  #mayStay(model: Model, site: string): boolean {
    const out = this.#lives.isOut(idOf(model, site)) && this.#bestGroup(model) !== undefined;
    return this.#admission(site) !== 'excluded' && !out;
  }

  #bestGroup(model: Model): { readonly index: number; readonly sites: readonly string[] } | undefined {
    for (const [index, group] of this.#publication.groups.entries()) {
      const sites = group.sites.filter((site) => this.#takesNew(model, site));
      if (sites.length > 0) return { index, sites };
    }
    return undefined;
  }

  #leastBad(model: Model): string | undefined {
    const admitted = this.#publication.groups
      .flatMap(({ sites }) => sites.toSorted())
      .filter((site) => this.#admission(site) === 'new_and_existing');
    const until = (site: string): number => this.#lives.period(idOf(model, site)).untilMs;
    const soonest = Math.min(...admitted.map(until));
    return admitted.find((site) => until(site) === soonest);
  }

  #skipped(model: Model, chosen: number | undefined): SkippedCandidate[] {
    return this.#publication.groups.flatMap(({ sites, admission }, index) =>
      sites.toSorted().flatMap((site): SkippedCandidate[] => {
        let reason: SkipReason | undefined = admission === 'new_and_existing' ? undefined : admission;
        if (reason === undefined && this.#lives.isOut(idOf(model, site))) reason = 'ejected';
        if (reason === undefined && chosen !== undefined && index > chosen) reason = 'lower_group';
        return reason === undefined ? [] : [{ stableId: idOf(model, site), cluster: `c-${site}`, reason }];
      }),
    );
  }

  #choice(
    sites: readonly string[],
    reason: DecisionReason,
    rest: { affinity: AffinityOutcome; skipped: readonly SkippedCandidate[] },
  ): ExpectedChoice {
    const byPolicyAlone = this.#publication.policy === 'deterministic' && reason === 'first_in_order';
    const allowed = byPolicyAlone ? [sites.toSorted()[0] ?? ''] : sites;
    const group = this.#publication.groups.findIndex((one) => one.sites.includes(allowed[0] ?? ''));
    return { ok: true, sites: allowed, group, reason, fallthrough: false, ...rest };
  }

  #byPolicy(): DecisionReason {
    return byPolicy(this.#publication);
  }

  #boundSite(model: Model, binding: Binding | undefined): string | undefined {
    if (binding === undefined) return undefined;
    return [binding.original, binding.site].find((site) => site !== undefined && this.#mayStay(model, site));
  }
}

function byPolicy({ policy }: Publication): DecisionReason {
  return policy === 'deterministic' ? 'first_in_order' : policy;
}
