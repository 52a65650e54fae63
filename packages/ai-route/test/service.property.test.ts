import { expectCaught, seededRandom } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Steps } from '../src/basics/steps.ts';
import { resolveOptions } from '../src/options/resolve-options.ts';
import { selectRoute } from '../src/select/select.ts';
import { createService, type Service } from '../src/service.ts';
import { planIndex } from '../src/snapshot/index-plan.ts';
import type { RoutingTable } from '../src/turns/picker-states.ts';
import { candidate, overlayWith } from './support/rotation.ts';

/**
 * What can happen, one letter each: a request (r), a step of taking over the next overlay (s), its end and the swap (c),
 * an invalid overlay (i: whatever was being taken over is abandoned), shutdown (x).
 */
type Step = 'r' | 's' | 'c' | 'i' | 'x';
const STEPS: readonly Step[] = ['r', 's', 'c', 'i', 'x'];

/** Members of the model that changes, overlay by overlay; "x" and "y" are always among them. */
const CHANGES = ['xy', 'xyz', 'wxy', 'wxyz', 'xyq'] as const;

/** Follows a script and says what a request saw that it should not have seen. */
class Stage {
  readonly #service: Service;
  readonly #published = new Map<string, string>();
  #takeOver: ReturnType<Service['build']> | undefined;
  /** Everything is built, and requests may still come before the swap. */
  #built: (() => unknown) | undefined;
  #round = 0;
  #closed = false;
  readonly #steadyPicks: string[] = [];
  readonly #changingPicks: string[] = [];

  constructor(wrong: (service: Service) => Service = (service) => service) {
    this.#service = wrong(newService());
    finish(this.#service.build(this.#document()))();
  }

  play(script: readonly Step[]): string | undefined {
    for (const step of script) {
      const violation = this.#play(step);
      if (violation !== undefined) return violation;
    }
    return undefined;
  }

  #play(step: Step): string | undefined {
    if (step === 'r') return this.#request();
    // After shutdown nothing is taken over any more, and requests go on.
    if (step === 'x') this.#closed = true;
    if (step === 'x' || step === 'i') {
      this.#takeOver = undefined;
      this.#built = undefined;
    }
    if (this.#closed) return undefined;
    if (step === 's' || step === 'c') {
      this.#takeOver ??= this.#service.build(this.#document());
      if (step === 's') this.#step(this.#takeOver);
      else {
        (this.#built ?? finish(this.#takeOver))();
        this.#takeOver = undefined;
        this.#built = undefined;
      }
    }
    return undefined;
  }

  #step(takeOver: ReturnType<Service['build']>): void {
    const step = takeOver.next();
    if (step.done === true) this.#built ??= step.value;
  }

  #request(): string | undefined {
    const steady = this.#select('steady');
    const changing = this.#select('changing');
    if (!steady.ok || !changing.ok) return 'a request was refused';
    const { candidate: member, servingRevision, acceptedRevision } = changing.selection.decision;
    const members = this.#published.get(servingRevision);
    if (acceptedRevision !== servingRevision) return 'a first attempt was explained by two snapshots';
    if (members?.includes(member.site) !== true) return `${member.site} is not in ${servingRevision}`;
    this.#steadyPicks.push(steady.selection.decision.candidate.site);
    this.#changingPicks.push(member.site);
    return (
      alternates(this.#steadyPicks, ['a', 'b', 'c']) ??
      alternates(
        this.#changingPicks.filter((site) => 'xy'.includes(site)),
        ['x', 'y'],
      )
    );
  }

  #select(name: string) {
    return selectRoute({ kind: 'inference_model', name }, this.#service.context);
  }

  #document() {
    const members = CHANGES[this.#round++ % CHANGES.length] ?? 'xy';
    const overlay = overlayWith([
      ...['a', 'b', 'c'].map((site) => candidate(site, { name: 'steady', rank: this.#round })),
      ...[...members].map((site) => candidate(site, { name: 'changing', stableId: `changing-${site}` })),
    ]);
    this.#published.set(overlay.revision, members);
    return { overlay, plan: planIndex(overlay) };
  }
}

function newService(): Service {
  return createService(resolveOptions({ overlayFile: 'unused.json', random: seededRandom(1) }).common);
}

function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Members that are always there get their turns in order, whoever else comes and goes. */
function alternates(picks: readonly string[], order: readonly string[]): string | undefined {
  const from = order.indexOf(picks[0] ?? '');
  const wrong = picks.findIndex((pick, i) => pick !== order[(from + i) % order.length]);
  return wrong < 0 ? undefined : `${picks.slice(0, wrong + 1).join(' ')} is not in turn`;
}

function* allScripts(length: number): Generator<Step[]> {
  for (let n = 0; n < STEPS.length ** length; n++) {
    yield Array.from({ length }, (_, i) => STEPS[Math.floor(n / STEPS.length ** i) % STEPS.length] ?? 'r');
  }
}

/** Wrong: takes over member by member, as stores that are changed one after another do. */
function servesHalfBuilt(service: Service): Service {
  const ahead = newService();
  return {
    ...service,
    context: {
      ...service.context,
      current: () => mixed(service.context.current(), ahead.context.current()),
    },
    *build(document) {
      finish(ahead.build(document))();
      yield;
      return yield* service.build(document);
    },
  };
}

/** The new snapshot's candidates under the old one's name. */
function mixed(table: RoutingTable | undefined, half: RoutingTable | undefined): RoutingTable | undefined {
  if (table === undefined || half === undefined) return table;
  return { ...half, snapshot: { ...half.snapshot, revision: table.snapshot.revision } };
}

/** Wrong: begins every rotation afresh. */
function forgetsTurns(service: Service): Service {
  let current = service;
  return {
    ...service,
    context: { ...service.context, current: () => current.context.current() },
    *build(document) {
      const next = newService();
      const commit = yield* next.build(document);
      return () => {
        current = next;
        return commit();
      };
    },
  };
}

describe('requests, swaps, invalid overlays and shutdown', () => {
  it('in every order of six, never mix two snapshots or move an unchanged turn', () => {
    const violations = new Set<string>();
    for (const script of allScripts(6)) {
      const violation = new Stage().play(script);
      if (violation !== undefined) violations.add(`${script.join('')}: ${violation}`);
    }
    expect([...violations]).toEqual([]);
  });

  // Shutdown ends all that is interesting, so it comes late.
  const scripts = fc
    .tuple(
      fc.array(fc.constantFrom<Step>('r', 'r', 's', 's', 's', 'c', 'i'), { minLength: 20, maxLength: 300 }),
      fc.array(fc.constantFrom(...STEPS), { maxLength: 10 }),
    )
    .map(([before, after]): Step[] => [...before, 'x', ...after]);

  it('hold in long scripts as well', () => {
    fc.assert(fc.property(scripts, (script) => new Stage().play(script) === undefined));
  });

  it.each([
    ['serves what is half built', servesHalfBuilt],
    ['begins every rotation afresh', forgetsTurns],
  ])('are violated by a service that %s', (_what, wrong) => {
    const holds = fc.property(scripts, (script) => new Stage(wrong).play(script) === undefined);
    expectCaught(() => fc.assert(holds));
  });
});
