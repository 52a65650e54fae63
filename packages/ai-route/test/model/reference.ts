import type {
  AffinityOutcome,
  AttemptOutcome,
  DecisionReason,
  RetryRefusalReason,
  SkippedCandidate,
  SkipReason,
} from '../../src/index.ts';
import { OUTCOME_TABLE } from '../../src/index.ts';
import { idOf, type Model, type Publication } from './world.ts';

/** Times and limits that both sides run with. No jitter: the reference would have to draw the same. */
export const LIMITS = {
  attempts: 3,
  withinMs: 5000,
  ratio: 0.5,
  minConcurrent: 1,
  failures: 3,
  ejectionMs: 1000,
  maxEjectionMs: 4000,
  retryAfterMaxMs: 2500,
  ttlMs: 20_000,
};

/** What a choice must be: one of these sites, and recorded like this. */
export interface ExpectedChoice {
  readonly ok: true;
  readonly sites: readonly string[];
  readonly group: number;
  readonly reason: DecisionReason;
  readonly affinity: AffinityOutcome;
  readonly skipped: readonly SkippedCandidate[];
  readonly fallthrough: boolean;
}
export type Expected<Reason extends string> =
  | ExpectedChoice
  | { readonly ok: false; readonly reason: Reason };

/** One period of a candidate's life: serving, or one ejection with the wait for its probe. */
interface Period {
  readonly kind: 'serving' | 'ejected';
  failures: number;
  ejections: number;
  untilMs: number;
  lengthMs: number;
  probe: Request | undefined;
}

interface Binding {
  site: string;
  confirmed: boolean;
  original: string | undefined;
  usedMs: number;
}

/** A request under way. */
export interface Request {
  readonly model: Model;
  readonly publication: Publication;
  readonly startedMs: number;
  readonly session: string | undefined;
  readonly held: boolean;
  readonly tried: string[];
  period: Period;
  /** The binding it found or made. */
  binding: Binding | undefined;
  affinity: AffinityOutcome;
  keeps: boolean;
  told: boolean;
  retried: boolean;
}

/**
 * DESIGN §5 once more: slow, obvious, and written without a look at how the router does it. It knows who may be chosen;
 * whose turn it is among equals is judged elsewhere.
 */
export class Reference {
  readonly #failBack: boolean;
  #publication: Publication = { policy: 'round_robin', groups: [] };
  #nowMs = 0;
  readonly #periods = new Map<string, Period>();
  readonly #bindings = new Map<string, Binding>();
  readonly #holders = new Map<string, string>();
  readonly #open: Request[] = [];

  constructor(failBack: boolean) {
    this.#failBack = failBack;
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
    const binding = this.#binding(model, session);
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
    const binding = this.#binding(model, session);
    const reused = binding !== undefined && this.#boundSite(model, binding) === site;
    const request: Request = {
      model,
      publication: this.#publication,
      startedMs: this.#nowMs,
      session,
      held,
      tried: [site],
      period: this.#period(model, site),
      binding,
      affinity: binding === undefined ? 'created' : reused ? 'reused' : 'failed_over',
      keeps: false,
      told: false,
      retried: false,
    };
    if (binding !== undefined) binding.usedMs = this.#nowMs;
    if (session !== undefined && !reused) this.#bind(request, site, false);
    this.#arrive(request, site);
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

  /** The attempt came to `outcome`, as the router is told by `next` or `end`. */
  tell(request: Request, outcome: AttemptOutcome): void {
    if (request.told) return;
    request.told = true;
    const { model, period } = request;
    const site = request.tried.at(-1) ?? '';
    const id = idOf(model, site);
    const rule = OUTCOME_TABLE[outcome.result];
    const present = this.#periods.get(id);
    // It may speak of an ejection that is over, or of the time before the present one.
    const eitherEjected = present?.kind === 'ejected' || period.kind === 'ejected';
    if (eitherEjected && present !== period) return;
    const ok = rule.health === 'ok' || (rule.health === 'ok once begun' && outcome.begun === true);
    if (ok) this.#periods.delete(id);
    else if (rule.health !== 'failed') {
      if (period.probe === request) period.untilMs = Number.NEGATIVE_INFINITY;
      if (period.probe === request) period.probe = undefined;
    } else this.#failed(request, site, outcome);
  }

  /** The request went on to `site`. */
  moveOn(request: Request, site: string, outcome: AttemptOutcome): void {
    if (request.affinity === 'reused') {
      request.affinity = 'failed_over';
      request.keeps = !OUTCOME_TABLE[outcome.result].rebinds;
    }
    request.tried.push(site);
    request.told = false;
    request.retried = true;
    const held = request.session && this.#live(request);
    if (held && held === request.binding && !held.confirmed) this.#bind(request, site, false);
    request.period = this.#period(request.model, site);
    this.#arrive(request, site);
  }

  end(request: Request, outcome: AttemptOutcome): void {
    this.tell(request, outcome);
    this.#open.splice(this.#open.indexOf(request), 1);
    if (request.session === undefined) return;
    const site = request.tried.at(-1) ?? '';
    const held = this.#live(request);
    const { binding } = OUTCOME_TABLE[outcome.result];
    if (binding === 'confirmed' || (binding === 'confirmed once begun' && outcome.begun === true)) {
      const another = held !== undefined && held !== request.binding && held.site !== site;
      const keeps = held?.confirmed === true && held.site !== site && request.keeps;
      if (!another && !keeps) this.#bind(request, site, true);
    } else if (held !== undefined && !held.confirmed && held.site === site) {
      if (held.original === undefined) this.#bindings.delete(keyOf(request));
      else
        this.#bindings.set(keyOf(request), {
          site: held.original,
          confirmed: true,
          original: undefined,
          usedMs: this.#nowMs,
        });
    }
  }

  learn(state: string, site: string): void {
    this.#holders.set(state, site);
  }

  /** Sites of `model` that are ejected or being probed. */
  outSites(model: Model): string[] {
    return this.#publication.groups
      .flatMap(({ sites }) => sites)
      .filter((site) => this.#isOut(this.#periods.get(idOf(model, site))));
  }

  #failed(request: Request, site: string, outcome: AttemptOutcome): void {
    const { model } = request;
    const period = this.#period(model, site);
    const others = this.#publication.groups
      .filter(({ admission }) => admission === 'new_and_existing')
      .flatMap(({ sites }) => sites)
      .filter((other) => other !== site && this.#periods.get(idOf(model, other))?.kind !== 'ejected');
    const asked = OUTCOME_TABLE[outcome.result].retryAfter
      ? Math.min(outcome.retryAfterMs ?? 0, LIMITS.retryAfterMaxMs)
      : 0;
    const serving = period.kind === 'serving';
    if (asked > 0) {
      if (!serving || others.length > 0) this.#eject(model, site, { ...period, lengthMs: asked });
      return;
    }
    period.failures++;
    this.#periods.set(idOf(model, site), period);
    if (serving && (period.failures < LIMITS.failures || others.length === 0)) return;
    const lengthMs = Math.min(LIMITS.maxEjectionMs, LIMITS.ejectionMs * 2 ** period.ejections);
    this.#eject(model, site, { ...period, lengthMs, ejections: period.ejections + 1 });
  }

  #eject(model: Model, site: string, period: Period): void {
    const untilMs = this.#nowMs + period.lengthMs;
    this.#periods.set(idOf(model, site), { ...period, kind: 'ejected', untilMs, probe: undefined });
  }

  /** An attempt begins at `site`: the first one after an ejection is its probe. */
  #arrive(request: Request, site: string): void {
    const period = this.#periods.get(idOf(request.model, site));
    if (period === undefined || period.kind !== 'ejected' || this.#isOut(period)) return;
    period.probe = request;
    period.untilMs = this.#nowMs + period.lengthMs;
  }

  #period(model: Model, site: string): Period {
    const id = idOf(model, site);
    const fresh: Period = {
      kind: 'serving',
      failures: 0,
      ejections: 0,
      untilMs: 0,
      lengthMs: 0,
      probe: undefined,
    };
    return this.#periods.get(id) ?? fresh;
  }

  #isOut(period: Period | undefined): boolean {
    return period?.kind === 'ejected' && this.#nowMs < period.untilMs;
  }

  #admission(site: string): string {
    return this.#publication.groups.find(({ sites }) => sites.includes(site))?.admission ?? 'excluded';
  }

  #takesNew(model: Model, site: string): boolean {
    return this.#admission(site) === 'new_and_existing' && !this.#isOut(this.#periods.get(idOf(model, site)));
  }

  #mayStay(model: Model, site: string): boolean {
    return this.#admission(site) !== 'excluded' && !this.#isOut(this.#periods.get(idOf(model, site)));
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
    const until = (site: string): number => this.#periods.get(idOf(model, site))?.untilMs ?? 0;
    const soonest = Math.min(...admitted.map(until));
    return admitted.find((site) => until(site) === soonest);
  }

  #skipped(model: Model, chosen: number | undefined): SkippedCandidate[] {
    return this.#publication.groups.flatMap(({ sites, admission }, index) =>
      sites.toSorted().flatMap((site): SkippedCandidate[] => {
        let reason: SkipReason | undefined = admission === 'new_and_existing' ? undefined : admission;
        if (reason === undefined && this.#isOut(this.#periods.get(idOf(model, site)))) reason = 'ejected';
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

  #binding(model: Model, session: string | undefined): Binding | undefined {
    const binding = session === undefined ? undefined : this.#bindings.get(`${model} ${session}`);
    return binding !== undefined && this.#nowMs < binding.usedMs + LIMITS.ttlMs ? binding : undefined;
  }

  #live({ model, session }: Request): Binding | undefined {
    return this.#binding(model, session);
  }

  #boundSite(model: Model, binding: Binding | undefined): string | undefined {
    if (binding === undefined) return undefined;
    return [binding.original, binding.site].find((site) => site !== undefined && this.#mayStay(model, site));
  }

  #bind(request: Request, site: string, confirmed: boolean): void {
    const before = request.binding;
    let original: string | undefined;
    if (this.#failBack && before !== undefined && (before.confirmed || before.original !== undefined)) {
      original = before.original ?? before.site;
      if (original === site) original = undefined;
    }
    request.binding = { site, confirmed, original, usedMs: this.#nowMs };
    this.#bindings.set(keyOf(request), request.binding);
  }
}

function keyOf({ model, session }: Request): string {
  return `${model} ${session}`;
}

function byPolicy({ policy }: Publication): DecisionReason {
  return policy === 'deterministic' ? 'first_in_order' : policy;
}
