import { SELECTION_POLICIES } from '@switchyard/overlay-contract';
import fc from 'fast-check';
import { ATTEMPT_RESULTS, type AttemptOutcome } from '../../src/index.ts';
import { MODELS, type Model, type PlannedGroup, type Publication } from './world.ts';

/** What can happen. */
export type Command =
  | { readonly type: 'publish'; readonly publication: Publication }
  | { readonly type: 'drain'; readonly group: number; readonly admission: PlannedGroup['admission'] }
  | { readonly type: 'invalid'; readonly steps: number }
  | { readonly type: 'kill' | 'restore'; readonly site: string }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'wall clock'; readonly at: number }
  | {
      readonly type: 'request';
      readonly model: Model;
      readonly session: string | undefined;
      readonly state: string | undefined;
    }
  | {
      readonly type: 'progress';
      readonly which: number;
      readonly outcome: AttemptOutcome;
      readonly learn: string | undefined;
    }
  | { readonly type: 'begin'; readonly which: number };

const SITES = ['a', 'b', 'c', 'd', 'e'];

const admission = fc.oneof(
  { weight: 6, arbitrary: fc.constant('new_and_existing' as const) },
  { weight: 1, arbitrary: fc.constantFrom('existing_only' as const, 'excluded' as const) },
);

/** A publication: some of the sites, dealt out to up to three groups. */
export const publication: fc.Arbitrary<Publication> = fc
  .record({
    policy: fc.oneof(
      { weight: 3, arbitrary: fc.constant('round_robin' as const) },
      { weight: 1, arbitrary: fc.constantFrom(...SELECTION_POLICIES) },
    ),
    homes: fc.array(fc.integer({ min: -1, max: 2 }), { minLength: SITES.length, maxLength: SITES.length }),
    admissions: fc.tuple(admission, admission, admission),
  })
  .map(({ policy, homes, admissions }) => {
    const groups = admissions
      .map((one, index) => ({ sites: SITES.filter((_, i) => homes[i] === index), admission: one }))
      .filter(({ sites }) => sites.length > 0);
    return { policy, groups: groups.length > 0 ? groups : [{ sites: ['a'], admission: 'new_and_existing' }] };
  });

const outcome: fc.Arbitrary<AttemptOutcome> = fc.record({
  result: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('answered' as const, 'status_503' as const, 'reset' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...ATTEMPT_RESULTS) },
  ),
  retryAfterMs: fc.option(fc.constantFrom(0, 300, 2000, 100_000), { nil: undefined, freq: 5 }),
  begun: fc.boolean(),
  replayable: fc.oneof(
    { weight: 9, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
});

const request: fc.Arbitrary<Command> = fc.record({
  type: fc.constant('request' as const),
  model: fc.constantFrom(...MODELS),
  session: fc.option(fc.constantFrom('s1', 's2', 's3'), { nil: undefined }),
  state: fc.option(fc.constantFrom('t1', 't2'), { nil: undefined, freq: 6 }),
});

const progress: fc.Arbitrary<Command> = fc.record({
  type: fc.constant('progress' as const),
  which: fc.nat(9),
  outcome,
  learn: fc.option(fc.constantFrom('t1', 't2'), { nil: undefined, freq: 5 }),
});

const begin: fc.Arbitrary<Command> = fc.record({ type: fc.constant('begin' as const), which: fc.nat(9) });

const rest: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ type: fc.constant('publish' as const), publication }),
  fc.record({ type: fc.constant('drain' as const), group: fc.nat(2), admission }),
  fc.record({ type: fc.constant('invalid' as const), steps: fc.nat(20) }),
  fc.record({ type: fc.constantFrom('kill' as const, 'restore' as const), site: fc.constantFrom(...SITES) }),
  fc.record({
    type: fc.constant('wait' as const),
    ms: fc.constantFrom(0, 1, 300, 999, 1000, 2500, 6000, 20_000),
  }),
  fc.record({ type: fc.constant('wall clock' as const), at: fc.constantFrom(0, 4e12) }),
);

/** A whole story. */
export const script: fc.Arbitrary<{ failBack: boolean; start: Publication; commands: Command[] }> = fc.record(
  {
    failBack: fc.boolean(),
    start: publication,
    commands: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: request },
        { weight: 5, arbitrary: progress },
        { weight: 2, arbitrary: begin },
        { weight: 2, arbitrary: rest },
      ),
      { minLength: 1, maxLength: 80, size: 'max' },
    ),
  },
);
