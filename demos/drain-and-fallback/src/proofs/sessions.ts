import type { Proof } from '@switchyard/demo-kit';
import type { Records, StepRequest } from '../records/types.ts';
import { bound, homesBefore } from './facts.ts';

/** Proof 2: sessions that are bound to a draining provider stay with it. */
export function proveBoundStay(records: Records): Proof {
  const homes = homesBefore(records, 'drain');
  const requests = bound(records, 'drain').filter(({ session }) => homes.has(session ?? ''));
  const kept = requests.filter(
    ({ session, provider, affinity }) => provider === homes.get(session ?? '') && affinity === 'reused',
  );
  const draining = kept.filter(({ provider }) => provider === 'provider-b').length;
  return {
    id: 'drain-bound-stay',
    title: 'Draining: sessions bound to provider-b stayed with it',
    passed: draining > 0 && kept.length === requests.length,
    summary: `${kept.length} of ${requests.length} bound requests stayed, ${draining} of them with provider-b`,
    facts: { homes: Object.fromEntries(homes), answers: told(requests) },
  };
}

/** Proof 5: each session of a killed provider moves once, to one provider, and stays there. */
export function proveFailOverOnce(records: Records): Proof {
  const homes = homesBefore(records, 'kill-b');
  const requests = bound(records, 'kill-b');
  const stories = [...homes.keys()].flatMap((session) => {
    const own = requests.filter((request) => request.session === session);
    return own.length === 0 ? [] : [{ session, home: homes.get(session) ?? 'nobody', own }];
  });
  const faulty = stories.filter(({ home, own }) => {
    const [first, ...rest] = own;
    const moved = home === 'provider-b';
    const outcome = moved ? 'failed_over' : 'reused';
    const place = first?.provider ?? null;
    return (
      first?.affinity !== outcome ||
      (moved ? place === home || place === null : place !== home) ||
      rest.some(({ affinity, provider }) => affinity !== 'reused' || provider !== place)
    );
  });
  const moved = stories.filter(({ home }) => home === 'provider-b');
  return {
    id: 'fail-over-once',
    title: 'Killed: each session of provider-b failed over once and stayed; nobody else moved',
    passed: moved.length > 0 && faulty.length === 0,
    summary: `${moved.length} sessions moved once (${moved.map(({ session, own }) => `${session} to ${own[0]?.provider ?? 'nobody'}`).join(', ')}), ${stories.length - moved.length} stayed`,
    facts: { answers: told(requests), faulty: faulty.map(({ session }) => session) },
  };
}

/** Proof 9: a session that moved does not move back when its old provider returns. */
export function proveNoFlapping(records: Records): Proof {
  const homes = homesBefore(records, 'return');
  const requests = bound(records, 'recovered');
  const kept = requests.filter(
    ({ session, provider, affinity }) => provider === homes.get(session ?? '') && affinity === 'reused',
  );
  return {
    id: 'no-flapping',
    title: 'Recovery: sessions that had moved stayed where they were',
    passed: requests.length > 0 && kept.length === requests.length,
    summary: `${kept.length} of ${requests.length} sessions stayed`,
    facts: { homes: Object.fromEntries(homes), answers: told(requests) },
  };
}

function told(requests: readonly StepRequest[]): unknown[] {
  return requests.map(({ n, session, provider, affinity }) => ({ n, session, provider, affinity }));
}
