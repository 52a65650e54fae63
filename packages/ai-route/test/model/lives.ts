import { type AttemptOutcome, OUTCOME_TABLE } from '../../src/index.ts';
import { LIMITS } from './limits.ts';

/** One period of a candidate's life: serving, or one ejection with the wait for its probe. */
export interface Period {
  readonly kind: 'serving' | 'ejected';
  /** Its number among those of all candidates; 0 is everybody's first. */
  readonly era: number;
  failures: number;
  /** Failures of attempts that had begun: only a whole answer makes up for them. */
  broken: number;
  ejections: number;
  untilMs: number;
  lengthMs: number;
  probe: Attempt | undefined;
}

/** An attempt speaks of the period in which it began. */
export interface Attempt {
  period: Period;
  begun: boolean;
}

/** What befell an attempt, and who else takes new requests. */
interface Report {
  readonly outcome: AttemptOutcome;
  /** Ids. */
  readonly others: readonly string[];
}

/** Who is ejected, told as lives: every ejection begins a new period. */
export class Lives {
  readonly #now: () => number;
  readonly #periods = new Map<string, Period>();
  #eras = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  period(id: string): Period {
    return this.#periods.get(id) ?? serving(0);
  }

  /** Ejected, or its probe is under way. */
  isOut(id: string): boolean {
    const { kind, untilMs } = this.period(id);
    return kind === 'ejected' && this.#now() < untilMs;
  }

  /** An attempt begins: the first one after an ejection is the probe. */
  arrive(attempt: Attempt, id: string): void {
    const period = this.#periods.get(id);
    if (period === undefined || period.kind !== 'ejected' || this.isOut(id)) return;
    period.probe = attempt;
    period.untilMs = this.#now() + Math.max(period.lengthMs, LIMITS.ejectionMs);
  }

  /** The first byte is there: that ends an ejection, and makes up for failures without one. */
  begin(attempt: Attempt, id: string): void {
    attempt.begun = true;
    const present = this.period(id);
    if (present.era !== attempt.period.era) return;
    if (present.kind === 'serving') present.failures = present.broken;
    else {
      const { broken, ejections } = present;
      attempt.period = { ...serving(++this.#eras), failures: broken, broken, ejections };
      this.#periods.set(id, attempt.period);
    }
  }

  tell(attempt: Attempt, id: string, report: Report): void {
    const { outcome } = report;
    const present = this.#periods.get(id);
    // It may speak of a period that is over.
    const era = present?.era ?? 0;
    if (era !== attempt.period.era) return;
    const { health } = OUTCOME_TABLE[outcome.result];
    if (health === 'ok once begun' && outcome.begun === true) this.begin(attempt, id);
    else if (health === 'ok')
      this.#periods.set(id, serving(present?.kind === 'ejected' ? ++this.#eras : era));
    else if (health === 'failed') this.#failed(id, attempt.begun, report);
    else if (present?.probe === attempt) {
      present.untilMs = Number.NEGATIVE_INFINITY;
      present.probe = undefined;
    }
  }

  #failed(id: string, begun: boolean, { outcome, others }: Report): void {
    const period = this.period(id);
    const serves = period.kind === 'serving';
    const alone = others.every((other) => this.period(other).kind === 'ejected');
    const { retryAfter } = OUTCOME_TABLE[outcome.result];
    const asked = retryAfter ? Math.min(outcome.retryAfterMs ?? 0, LIMITS.retryAfterMaxMs) : 0;
    if (asked > 0) {
      if (!serves || !alone) this.#eject(id, { ...period, lengthMs: asked });
      return;
    }
    period.failures++;
    if (begun) period.broken++;
    this.#periods.set(id, period);
    if (serves && (period.failures < LIMITS.failures || alone)) return;
    const lengthMs = Math.min(LIMITS.maxEjectionMs, LIMITS.ejectionMs * 2 ** period.ejections);
    this.#eject(id, { ...period, lengthMs, ejections: period.ejections + 1 });
  }

  #eject(id: string, period: Period): void {
    const untilMs = this.#now() + period.lengthMs;
    this.#periods.set(id, { ...period, kind: 'ejected', era: ++this.#eras, untilMs, probe: undefined });
  }
}

function serving(era: number): Period {
  return {
    kind: 'serving',
    era,
    failures: 0,
    broken: 0,
    ejections: 0,
    untilMs: 0,
    lengthMs: 0,
    probe: undefined,
  };
}
