import { ManualClock, seededRandom } from '@switchyard/test-kit';
import type { AttemptOutcome, RouteResult, Selection } from '../../src/index.ts';
import { explainRoute } from '../../src/select/explain.ts';
import { selectRoute } from '../../src/select/select.ts';
import { viewEjected } from '../../src/select/view-routes.ts';
import type { Service } from '../../src/service.ts';
import { planIndex } from '../../src/snapshot/index-plan.ts';
import { ProjectionObserver } from '../support/projection.ts';
import { newService } from '../support/service.ts';
import type { Command } from './commands.ts';
import type { Expected } from './expected.ts';
import { LIMITS } from './limits.ts';
import { Reference, type Request } from './reference.ts';
import { idOf, MODELS, type Model, overlayOf, type Publication } from './world.ts';

interface UnderWay {
  readonly request: Request;
  selection: Selection;
}

/** Both sides, fed with the same commands. */
class Stage {
  readonly #clock = new ManualClock();
  readonly #service: Service;
  readonly #reference: Reference;
  readonly #underWay: UnderWay[] = [];
  readonly #dead = new Set<string>();
  readonly #turns = new Map<Model, ProjectionObserver>();
  #publication: Publication;

  constructor(failBack: boolean, start: Publication, wrong: (service: Service) => Service) {
    const { ttlMs, attempts, withinMs, ratio, minConcurrent, failures, ejectionMs, maxEjectionMs } = LIMITS;
    const onReturn = failBack ? 'failBack' : 'stay';
    this.#service = wrong(
      newService({
        clock: this.#clock,
        random: seededRandom(5),
        affinity: { enabled: true, ttlSeconds: ttlMs / 1000, onReturn },
        retry: { attempts, withinMs, budget: { ratio, minConcurrent } },
        viability: {
          consecutiveFailures: failures,
          ejectionMs,
          maxEjectionMs,
          retryAfterMaxMs: LIMITS.retryAfterMaxMs,
          jitter: 0,
        },
      }),
    );
    this.#reference = new Reference(failBack);
    this.#publication = start;
    this.#publish(start);
  }

  play(command: Command): string | undefined {
    switch (command.type) {
      case 'publish':
        this.#publish(command.publication);
        break;
      case 'drain':
        this.#publish(withAdmission(this.#publication, command.group, command.admission));
        break;
      case 'invalid':
        this.#abandon(command.steps);
        break;
      case 'kill':
        this.#dead.add(command.site);
        break;
      case 'restore':
        this.#dead.delete(command.site);
        break;
      case 'wait':
        this.#clock.advance(command.ms);
        this.#reference.wait(command.ms);
        break;
      case 'wall clock':
        this.#clock.setWallClock(command.at);
        break;
      case 'request':
        return this.#request(command);
      case 'progress':
        return this.#progress(command);
      case 'begin':
        this.#begin(command.which);
        break;
    }
    this.#observe();
    return this.#compareEjected();
  }

  #publish(publication: Publication): void {
    // Turns belong to groups: whoever competes with others from now on starts a new count.
    if (regroups(this.#publication, publication)) this.#turns.clear();
    this.#publication = publication;
    this.#service.serve(overlayOf(publication));
    this.#reference.publish(publication);
    this.#observe();
  }

  /** What an invalid document comes to: a take-over that was begun, perhaps, and then forgotten. */
  #abandon(steps: number): void {
    const overlay = overlayOf({ ...this.#publication, groups: this.#publication.groups.toReversed() });
    const build = this.#service.build({ overlay, plan: planIndex(overlay) });
    for (let step = 0; step < steps; step++) if (build.next().done === true) return;
  }

  #request({ model, session, state }: Extract<Command, { type: 'request' }>): string | undefined {
    const expected = this.#reference.expectSelect(model, session, state);
    const asked = { kind: 'inference_model' as const, name: model, sessionKey: session, stateKey: state };
    const foreseen = explainRoute(asked, this.#service.context);
    const openSites = new Set(this.#reference.openSites(model));
    const result = selectRoute(asked, this.#service.context);
    const site = result.ok ? result.selection.decision.candidate.site : undefined;
    const different = differs(expected, result);
    if (different !== undefined) return `select: ${different}`;
    if (!result.ok || site === undefined) return this.#compareEjected();
    const { decision } = result.selection;
    if (decision.candidate.name !== model) return `an answer for ${decision.candidate.name}`;
    if (foreseen.decision !== null && JSON.stringify(foreseen.decision) !== JSON.stringify(decision))
      return `explain foresaw ${JSON.stringify(foreseen.decision)} and it became ${JSON.stringify(decision)}`;
    const request = this.#reference.select(model, site, { session, state });
    this.#underWay.push({ request, selection: result.selection });
    const turn =
      decision.reason === 'round_robin' ? this.#observer(model).picked(site, openSites) : undefined;
    this.#observe();
    return turn ?? this.#compareEjected();
  }

  #progress({ which, outcome, learn }: Extract<Command, { type: 'progress' }>): string | undefined {
    const at = this.#underWay.length === 0 ? -1 : which % this.#underWay.length;
    const flow = this.#underWay[at];
    if (flow === undefined) return undefined;
    const { request, selection } = flow;
    const site = request.tried.at(-1) ?? '';
    const natural: AttemptOutcome = this.#dead.has(site) ? { result: 'connect_failed' } : outcome;
    if (learn !== undefined && natural.result === 'answered') {
      selection.learn(learn);
      this.#reference.learn(learn, site);
    }
    this.#reference.tell(request, natural);
    const expected = this.#reference.expectNext(request, natural);
    const result = selection.next(natural);
    const different = differs(expected, result);
    if (different !== undefined) return `next after ${JSON.stringify(natural)}: ${different}`;
    if (result.ok) {
      const { decision } = result.selection;
      if (request.tried.includes(decision.candidate.site)) return `P-D1: ${decision.candidate.site} twice`;
      this.#reference.moveOn(request, decision.candidate.site, natural);
      flow.selection = result.selection;
    } else {
      selection.end(natural);
      this.#reference.end(request, natural);
      this.#underWay.splice(at, 1);
    }
    this.#observe();
    return this.#compareEjected();
  }

  #begin(which: number): void {
    const flow = this.#underWay[which % Math.max(1, this.#underWay.length)];
    if (flow === undefined || this.#dead.has(flow.request.tried.at(-1) ?? '')) return;
    flow.selection.begin();
    this.#reference.begin(flow.request);
  }

  #compareEjected(): string | undefined {
    const actual = viewEjected(this.#service.context).map(({ stableId }) => stableId);
    const expected = MODELS.flatMap((model) =>
      this.#reference.outSites(model).map((site) => idOf(model, site)),
    );
    const [a, b] = [actual.toSorted().join(), expected.toSorted().join()];
    return a === b ? undefined : `ejected are ${a || 'nobody'}, expected ${b || 'nobody'}`;
  }

  #observer(model: Model): ProjectionObserver {
    const observer = this.#turns.get(model) ?? new ProjectionObserver();
    this.#turns.set(model, observer);
    return observer;
  }

  #observe(): void {
    for (const model of MODELS) this.#observer(model).passed(new Set(this.#reference.openSites(model)));
  }
}

/** Whether any two members that stay compete now and didn't before, or the other way round. */
function regroups(before: Publication, after: Publication): boolean {
  if (before.policy !== after.policy) return true;
  const homeOf = ({ groups }: Publication, site: string): number =>
    groups.findIndex(({ sites }) => sites.includes(site));
  const staying = before.groups.flatMap(({ sites }) => sites).filter((site) => homeOf(after, site) >= 0);
  return staying.some((a) =>
    staying.some(
      (b) => (homeOf(before, a) === homeOf(before, b)) !== (homeOf(after, a) === homeOf(after, b)),
    ),
  );
}

function withAdmission(
  { policy, groups }: Publication,
  which: number,
  admission: Publication['groups'][number]['admission'],
): Publication {
  return {
    policy,
    groups: groups.map((group, i) => (i === which % groups.length ? { ...group, admission } : group)),
  };
}

/** What is wrong with an answer, if anything. */
function differs(
  expected: Expected<string>,
  result: RouteResult | ReturnType<Selection['next']>,
): string | undefined {
  if (!expected.ok || !result.ok) {
    const wanted = expected.ok ? `one of ${expected.sites.join()}` : expected.reason;
    const got = result.ok ? result.selection.decision.candidate.site : result.reason;
    return wanted === got ? undefined : `expected ${wanted}, got ${got}`;
  }
  const { decision } = result.selection;
  const { site } = decision.candidate;
  if (!expected.sites.includes(site)) return `expected one of ${expected.sites.join()}, got ${site}`;
  const { group, reason, affinity, fallthrough } = decision;
  const actual = JSON.stringify([group, reason, affinity, fallthrough]);
  const wanted = JSON.stringify([expected.group, expected.reason, expected.affinity, expected.fallthrough]);
  if (actual !== wanted) return `expected ${wanted}, got ${actual}`;
  if (decision.attempt > 1) return undefined;
  const [skipped, toSkip] = [JSON.stringify(decision.skipped), JSON.stringify(expected.skipped)];
  return skipped === toSkip ? undefined : `expected to skip ${toSkip}, skipped ${skipped}`;
}

/** Plays commands against both and returns the first difference, if any. */
export function playCommands(
  script: { readonly failBack: boolean; readonly start: Publication; readonly commands: readonly Command[] },
  wrong: (service: Service) => Service = (service) => service,
): string | undefined {
  const stage = new Stage(script.failBack, script.start, wrong);
  for (const command of script.commands) {
    const difference = stage.play(command);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
