import { ManualClock } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf, Rendezvous } from '../../src/affinity/rendezvous.ts';
import type { Router } from '../../src/index.ts';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { MemberSet } from '../../src/snapshot/member-set.ts';
import type { Group } from '../../src/snapshot/snapshot.ts';
import { MODEL } from '../support/overlays.ts';
import { candidate, groupsOf, overlayWith } from '../support/rotation.ts';
import { ANSWERED, candidatesOf, nextOf, selectionOf, staticRouter } from '../support/static-router.ts';

const SITES = [...'abcdefgh'];
const KEYS = Array.from({ length: 20_000 }, (_, i) => `session-${i}`);

/** Who wins which session. Any other way of choosing can be put in its place. */
type Mapping = (group: Group, key: string) => string;

function groupOf(sites: readonly string[], weights?: (site: string) => number): Group {
  const candidates = sites.map((site) =>
    candidate(site, weights === undefined ? {} : { trafficWeight: weights(site) }),
  );
  const policy = weights === undefined ? 'round_robin' : 'weighted_random';
  const [group] = groupsOf(buildSnapshot(overlayWith(candidates, policy), undefined));
  if (group === undefined) throw new Error('no group');
  return group;
}

const highest: Mapping = (group, key) => {
  const position = new Rendezvous().winner(hashOf(key), group, group.open);
  return group.members[position]?.candidate.site ?? '';
};

const modulo: Mapping = (group, key) => {
  const [hash] = hashOf(key);
  return group.members[hash % group.members.length]?.candidate.site ?? '';
};

/** Sessions that moved although neither their old nor their new provider came or went. */
function movedForNothing(mapping: Mapping, before: readonly string[], after: readonly string[]): number {
  const [old, young] = [groupOf(before), groupOf(after)];
  return KEYS.slice(0, 500).filter((key) => {
    const [from, to] = [mapping(old, key), mapping(young, key)];
    return from !== to && after.includes(from) && before.includes(to);
  }).length;
}

const some = fc.subarray(SITES, { minLength: 1 });

describe('rendezvous', () => {
  it('P-F1: who comes takes only what it wins, who leaves takes only its own', () => {
    fc.assert(
      fc.property(some, some, (before, after) => {
        expect(movedForNothing(highest, before, after)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('is violated by a hash taken modulo the members', () => {
    expect(movedForNothing(modulo, SITES, SITES.slice(1))).toBeGreaterThan(100);
  });

  it('P-F4: says the same in any order of candidates, and for ever', () => {
    const forwards = groupOf(SITES);
    const backwards = groupOf(SITES.toReversed());
    for (const key of KEYS.slice(0, 500)) expect(highest(forwards, key)).toBe(highest(backwards, key));
    // Written down: another version of this code, or another gateway, must say the same.
    expect(
      KEYS.slice(0, 24)
        .map((key) => highest(forwards, key))
        .join(''),
    ).toBe('gbahddahbfhbahcheecccfdh');
  });

  it('gives every member its share, and every weighted member what its weight says', () => {
    const count = (group: Group): Map<string, number> => {
      const counts = new Map<string, number>();
      for (const key of KEYS) counts.set(highest(group, key), (counts.get(highest(group, key)) ?? 0) + 1);
      return counts;
    };
    const even = count(groupOf(SITES));
    // 20,000 keys over 8: 2,500 each, four standard deviations are 187.
    for (const site of SITES) expect(Math.abs((even.get(site) ?? 0) - 2500)).toBeLessThan(187);
    const weights = [1, 2, 5, 12];
    const weighted = count(groupOf([...'abcd'], (site) => weights['abcd'.indexOf(site)] ?? 1));
    for (const [i, site] of [...'abcd'].entries()) {
      const share = (weights[i] ?? 0) / 20;
      const deviation = Math.sqrt(KEYS.length * share * (1 - share));
      expect(Math.abs((weighted.get(site) ?? 0) - KEYS.length * share)).toBeLessThan(4 * deviation);
    }
  });

  it('a weight that grows takes sessions from others and gives none away', () => {
    const [before, after] = [groupOf(SITES, () => 3), groupOf(SITES, (site) => (site === 'c' ? 9 : 3))];
    for (const key of KEYS.slice(0, 2000)) {
      const to = highest(after, key);
      if (to !== highest(before, key)) expect(to).toBe('c');
    }
  });

  it('P-F3: the sessions of a member that left spread over all others', () => {
    const [before, after] = [groupOf(SITES), groupOf(SITES.slice(1))];
    const orphans = KEYS.filter((key) => highest(before, key) === 'a').map((key) => highest(after, key));
    for (const site of SITES.slice(1)) {
      const share = orphans.filter((one) => one === site).length / orphans.length;
      expect(share).toBeGreaterThan(0.1);
      expect(share).toBeLessThan(2 / 7);
    }
  });

  it('nobody open, nobody wins', () => {
    expect(new Rendezvous().winner(hashOf('k'), groupOf(['a']), new MemberSet(1, () => false))).toBe(-1);
  });
});

describe('affinity without a memory', () => {
  const options = { affinity: { enabled: true, mode: 'rendezvous' as const } };
  const siteFor = (router: Router, sessionKey: string): string =>
    selectionOf(router.select({ ...MODEL, sessionKey })).decision.candidate.site;

  it('agrees across gateways that have seen nothing of one another', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => staticRouter(candidatesOf(['abcde', 'fg']), options)),
    );
    if (one === undefined || two === undefined) throw new Error('two routers');
    for (let i = 0; i < 7; i++) one.select(MODEL);
    for (const key of KEYS.slice(0, 300)) expect(siteFor(one, key)).toBe(siteFor(two, key));
  });

  it('is explained, and takes nobody’s turn', async () => {
    const [plain, mixed] = await Promise.all([
      staticRouter(candidatesOf(['abc'])),
      staticRouter(candidatesOf(['abc']), options),
    ]);
    for (const sessionKey of KEYS.slice(0, 20)) {
      const foreseen = mixed.explain({ ...MODEL, sessionKey }).decision;
      const { decision } = selectionOf(mixed.select({ ...MODEL, sessionKey }));
      expect(decision).toEqual(foreseen);
      expect(decision).toMatchObject({ reason: 'affinity', affinity: 'reused' });
      expect(selectionOf(mixed.select(MODEL)).decision).toEqual({
        ...selectionOf(plain.select(MODEL)).decision,
      });
    }
  });

  it('fails over to the same other one everywhere, and returns by itself', async () => {
    const routers = await Promise.all(
      [1, 2].map(async () => {
        const clock = new ManualClock();
        const viability = { consecutiveFailures: 1, ejectionMs: 1000, jitter: 0 };
        return {
          clock,
          router: await staticRouter(candidatesOf(['abcd']), { ...options, viability, clock }),
        };
      }),
    );
    const key = { ...MODEL, sessionKey: 'one' };
    const trails = routers.map(({ router, clock }) => {
      const first = selectionOf(router.select(key));
      first.end({ result: 'reset' });
      const second = selectionOf(router.select(key));
      expect(second.decision.affinity).toBe('failed_over');
      second.end(ANSWERED);
      clock.advance(1000);
      const third = selectionOf(router.select(key));
      third.end(ANSWERED);
      return [first, second, third].map(({ decision }) => decision.candidate.site);
    });
    expect(trails[0]).toEqual(trails[1]);
    expect(trails[0]?.[2]).toBe(trails[0]?.[0]);
    expect(trails[0]?.[1]).not.toBe(trails[0]?.[0]);
  });

  it('its retries follow the session’s own order, so that gateways agree on them, too', async () => {
    const trail = async (): Promise<string> => {
      const router = await staticRouter(candidatesOf(['abcd']), { ...options, retry: { attempts: 4 } });
      let attempt = selectionOf(router.select({ ...MODEL, sessionKey: 'one' }));
      const sites = [attempt.decision.candidate.site];
      for (let i = 0; i < 3; i++) {
        attempt = nextOf(attempt);
        sites.push(attempt.decision.candidate.site);
      }
      return sites.join('');
    };
    expect(await trail()).toBe(await trail());
    expect([...(await trail())].toSorted().join('')).toBe('abcd');
  });

  it('sends existing_only nobody: it can’t tell who exists', async () => {
    const candidates = [
      ...candidatesOf(['ab']),
      ...candidatesOf(['', 'c'], { admissionState: 'existing_only' }),
    ];
    const router = await staticRouter(candidates, options);
    for (const key of KEYS.slice(0, 100)) expect(siteFor(router, key)).not.toBe('c');
  });

  it('has nothing to share out under deterministic', async () => {
    const router = await staticRouter(candidatesOf(['abc']), {
      ...options,
      selectionPolicy: 'deterministic',
    });
    for (const key of KEYS.slice(0, 20)) expect(siteFor(router, key)).toBe('a');
  });
});
