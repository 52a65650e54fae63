import type { SelectContext } from '../../src/select/context.ts';
import type { Service } from '../../src/service.ts';

/** Cores that are wrong in ways that have been seen in the wild, by what is wrong with them. */
export const KNOWN_BAD: Readonly<Record<string, (service: Service) => Service>> = {
  'nobody is ever ejected': (service) =>
    patched(service, ({ states }) => {
      const of = states.of.bind(states);
      states.of = (capability) => {
        const standing = of(capability);
        standing.live.health.fail = () => undefined;
        return standing;
      };
    }),
  'the last viable candidate is ejected, too': (service) =>
    patched(service, ({ states }) => {
      const of = states.of.bind(states);
      states.of = (capability) => {
        const standing = of(capability);
        standing.dispensable = () => true;
        return standing;
      };
    }),
  'everybody gets in when an ejection is over, not one probe': (service) =>
    patched(service, ({ states }) => {
      const of = states.of.bind(states);
      states.of = (capability) => {
        const { health } = of(capability).live;
        const begin = health.begin.bind(health);
        const still = { monotonicMs: () => Number.NEGATIVE_INFINITY, now: () => 0 };
        health.begin = (stableId) => begin(stableId, still);
        return of(capability);
      };
    }),
  'a first byte makes up for every stream that broke off': (service) =>
    patched(service, ({ states }) => {
      const of = states.of.bind(states);
      states.of = (capability) => {
        const { health } = of(capability).live;
        health.serve = health.succeed.bind(health);
        return of(capability);
      };
    }),
  'retries know no budget': (service) =>
    withRetry(service, { budget: { ratio: 1, minConcurrent: 1_000_000 } }),
  'a slow failure is tried again': (service) => withRetry(service, { withinMs: 0 }),
  'every fallback starts a new budget of attempts': (service) => withRetry(service, { attemptsMax: 100 }),
  'a holder of state is forgotten': (service) =>
    patched(service, ({ holders }) => {
      holders.use = () => undefined;
    }),
  'sessions are not kept': (service) => ({
    ...service,
    context: { ...service.context, affinity: undefined },
  }),
  'one session is shared by all models': (service) =>
    patched(service, ({ affinity }) => {
      if (affinity === undefined) return;
      const open = affinity.open.bind(affinity);
      affinity.open = (request, standing) => open({ ...request, name: 'm' }, standing);
    }),
  'a reload begins every turn anew': (service) => {
    const newest = (): Service['context']['current'] => service.context.current;
    let seen: ReturnType<Service['context']['current']>;
    let picks = 0;
    const current: Service['context']['current'] = () => {
      const table = newest()();
      if (table !== seen) picks = 0;
      seen = table;
      return (
        table && {
          ...table,
          pickersOf: (group) => {
            const pickers = table.pickersOf(group);
            const pick: typeof pickers.turns.pick = (open) => open.at(picks++ % Math.max(1, open.size));
            const turns = Object.create(pickers.turns) as typeof pickers.turns;
            turns.pick = pick;
            return { ...pickers, turns };
          },
          nextOf: () => -1,
        }
      );
    };
    return { ...service, context: { ...service.context, current } };
  },
};

function patched(service: Service, patch: (context: SelectContext) => void): Service {
  patch(service.context);
  return service;
}

function withRetry(service: Service, changes: Partial<SelectContext['retry']>): Service {
  const { context } = service;
  return { ...service, context: { ...context, retry: { ...context.retry, ...changes } } };
}
