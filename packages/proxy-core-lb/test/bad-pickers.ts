import { boundedDraw, systemRandom } from '../src/random.ts';
import type { MakeSubject, Member, Subject } from './subject.ts';

// Pickers with the mistakes that real balancers have shipped. A property that accepts one of them proves nothing.

const viable = (list: readonly Member[], excluded?: ReadonlySet<string>): Member[] =>
  list.filter((member) => member.weight !== 0 && !excluded?.has(member.id));

const byId = (list: readonly Member[]): Member[] => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));

/** A counter that knows nothing of who comes next: it jumps whenever the number of members changes. */
export const counterModulo: MakeSubject = (initial) => {
  let list = byId(initial);
  let counter = 0;
  return {
    pick: (excluded) => {
      const open = viable(list, excluded);
      return open.length === 0 ? undefined : open[counter++ % open.length]?.id;
    },
    update: (next) => {
      list = byId(next);
    },
  };
};

/** Starts again at the first member after every update, also when nothing changed. */
export const restartsOnUpdate: MakeSubject = (initial, options) => {
  let inner: Subject = counterModulo(initial, options);
  return {
    pick: (excluded) => inner.pick(excluded),
    update: (next) => {
      inner = counterModulo(next, options);
    },
  };
};

/** The turn of a member that cannot take it goes to its neighbour, on top of the neighbour's own. */
export const probesNeighbour: MakeSubject = (initial) => {
  let list = byId(initial);
  let counter = 0;
  return {
    pick: (excluded) => {
      const open = new Set(viable(list, excluded));
      const start = counter++;
      for (let step = 0; step < list.length; step++) {
        const member = list[(start + step) % list.length];
        if (member !== undefined && open.has(member)) return member.id;
      }
      return undefined;
    },
    update: (next) => {
      list = byId(next);
    },
  };
};

/** Takes members in the order they were given. */
export const inputOrder: MakeSubject = (initial) => {
  let list = initial;
  let counter = 0;
  return {
    pick: (excluded) => {
      const open = viable(list, excluded);
      return open.length === 0 ? undefined : open[counter++ % open.length]?.id;
    },
    update: (next) => {
      list = next;
    },
  };
};

/** Whoever got the fewest so far: a member that comes back gets everything until it has caught up. */
export const catchesUp: MakeSubject = (initial) => {
  let list = byId(initial);
  const served = new Map<string, number>();
  const servedBy = (member: Member): number => served.get(member.id) ?? 0;
  return {
    pick: (excluded) => {
      const [first, ...rest] = viable(list, excluded);
      if (first === undefined) return undefined;
      const least = rest.reduce((a, b) => (servedBy(b) < servedBy(a) ? b : a), first);
      served.set(least.id, servedBy(least) + 1);
      return least.id;
    },
    update: (next) => {
      list = byId(next);
    },
  };
};

/** The first of those with the least load; at rest that is always the same one. */
export const firstTie: MakeSubject = (initial) => {
  let list = byId(initial);
  return {
    pick: (excluded) => viable(list, excluded)[0]?.id,
    update: (next) => {
      list = byId(next);
    },
  };
};

/** Draws among all, and goes on to the next one when the drawn one cannot be had. */
export const drawThenProbe: MakeSubject = (initial, options) => {
  const list = byId(initial);
  const random = options?.random ?? systemRandom();
  return {
    pick: (excluded) => {
      const open = new Set(viable(list, excluded));
      const start = boundedDraw(random, list.length);
      for (let step = 0; step < list.length; step++) {
        const member = list[(start + step) % list.length];
        if (member !== undefined && open.has(member)) return member.id;
      }
      return undefined;
    },
    update: () => {},
  };
};

/** Ignores weights. */
export const ignoresWeights: MakeSubject = (initial, options) =>
  counterModulo(
    initial.map(({ id }) => ({ id })),
    options,
  );
