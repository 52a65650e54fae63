import { ManualClock } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, publication, siteOf } from '../support/overlays.ts';
import { ANSWERED, candidatesOf, NO_ENDPOINT, selectionOf, staticRouter } from '../support/static-router.ts';

const STATE = { ...MODEL, stateKey: 'response:1' };

describe('a state that one provider holds', () => {
  it('takes its requests there, whoever’s turn it is, and takes nobody’s turn', async () => {
    const router = await staticRouter(candidatesOf(['abc']));
    const first = selectionOf(router.select(STATE));
    expect(first.decision).toMatchObject({ candidate: { site: 'a' }, reason: 'round_robin' });
    first.learn(STATE.stateKey);
    first.end(ANSWERED);
    for (let i = 0; i < 5; i++) {
      expect(router.explain(STATE).decision).toMatchObject({ candidate: { site: 'a' }, reason: 'state' });
      expect(selectionOf(router.select(STATE)).decision).toMatchObject({
        candidate: { site: 'a' },
        reason: 'state',
        affinity: 'reused',
        skipped: [],
      });
    }
    expect(siteOf(router.select(MODEL))).toBe('b');
    expect(router.holderOf(STATE.stateKey)).toEqual({
      ...MODEL,
      cluster: 'provider-a',
      site: 'a',
    });
  });

  it('goes before the session’s binding, and leaves that alone', async () => {
    const router = await staticRouter(candidatesOf(['abc']), { affinity: { enabled: true } });
    const session = { ...MODEL, sessionKey: 's' };
    selectionOf(router.select(session)).end(ANSWERED);
    const other = selectionOf(router.select(MODEL));
    other.learn('t');
    other.end(ANSWERED);
    const both = selectionOf(router.select({ ...session, stateKey: 't' }));
    both.end(ANSWERED);
    expect(both.decision.candidate.site).toBe('b');
    expect(siteOf(router.select(session))).toBe('a');
  });

  it('is of no use elsewhere: no other provider is tried', async () => {
    const router = await staticRouter(candidatesOf(['abc']));
    selectionOf(router.select(MODEL)).learn(STATE.stateKey);
    expect(selectionOf(router.select(STATE)).next(NO_ENDPOINT)).toMatchObject({
      ok: false,
      reason: 'no_viable_candidate',
    });
  });

  it('holds for every model or tool of that cluster', async () => {
    const tools = ['search', 'fetch'].flatMap((name) => candidatesOf(['abc'], { kind: 'mcp_tool', name }));
    const router = await staticRouter(
      tools.map((tool) => ({ ...tool, stableId: `${tool.name}-${tool.site}` })),
    );
    const ask = (name: string) => router.select({ kind: 'mcp_tool', name, stateKey: 'mcp:1' });
    router.select({ kind: 'mcp_tool', name: 'search' });
    const first = selectionOf(ask('search'));
    first.learn('mcp:1');
    for (let i = 0; i < 4; i++) expect([siteOf(ask('search')), siteOf(ask('fetch'))]).toEqual(['b', 'b']);
  });

  it('that nobody knows is no state', async () => {
    const router = await staticRouter(candidatesOf(['abc']));
    for (const stateKey of ['unknown', '', 'x'.repeat(2000)]) {
      selectionOf(router.select({ ...MODEL, stateKey: 'learned' })).learn(''.padEnd(1100, 'y'));
      expect(selectionOf(router.select({ ...MODEL, stateKey })).decision.reason).toBe('round_robin');
      expect(router.holderOf(stateKey)).toBeUndefined();
    }
  });

  it('is forgotten when nobody asked for it for its time, and when there are too many', async () => {
    const clock = new ManualClock();
    const router = await staticRouter(candidatesOf(['abc']), {
      clock,
      state: { capacity: 10, ttlSeconds: 60 },
    });
    const learn = (key: string): void => selectionOf(router.select(MODEL)).learn(key);
    learn('one');
    clock.advance(59_999);
    expect(router.holderOf('one')).toBeDefined();
    clock.advance(59_999);
    expect(router.holderOf('one')).toBeDefined();
    for (let i = 0; i < 100; i++) learn(`flood-${i}`);
    expect(router.holderOf('one')).toBeDefined();
    expect(router.holderOf('flood-0')).toBeUndefined();
    clock.advance(60_000);
    expect(router.holderOf('one')).toBeUndefined();
  });

  it('existing_only still serves it; excluded, gone or ejected is state_unavailable', async () => {
    await using lab = await OverlayLab.create();
    const lower = (admission_state: 'existing_only' | 'excluded') =>
      publication({ candidates: [at('b'), at('a', { selection_group: 1, admission_state })] });
    const [draining, excluded] = [lower('existing_only'), lower('excluded')];
    const gone = publication({ candidates: [at('b')] });
    await lab.publish(publication({ candidates: [at('a'), at('b')] }).text);
    const { router, events } = await lab.follow({ viability: { consecutiveFailures: 1 } });
    const publish = async (next: typeof gone): Promise<void> => {
      await lab.publish(next.text);
      await events.accepted(next.revision);
    };
    selectionOf(router.select(MODEL)).learn(STATE.stateKey);
    await publish(draining);
    expect(siteOf(router.select(STATE))).toBe('a');
    await publish(excluded);
    expect(router.select(STATE)).toMatchObject({ ok: false, reason: 'state_unavailable' });
    await publish(gone);
    expect(router.explain(STATE)).toMatchObject({ outcome: 'state_unavailable', decision: null });
    await publish(draining);
    selectionOf(router.select(STATE)).end({ result: 'reset' });
    expect(siteOf(router.select(STATE))).toBe('state_unavailable');
    expect(siteOf(router.select(MODEL))).toBe('b');
  });
});

it('names that clients make up push out nothing that a provider named, however often they are used', async () => {
  const router = await staticRouter(candidatesOf(['ab']), { state: { capacity: 20 } });
  const learn = (stateKey: string, namedBy: 'provider' | 'client'): void => {
    const selection = selectionOf(router.select({ ...MODEL, stateKey }));
    selection.learn(stateKey, namedBy);
    selection.end(ANSWERED);
  };
  for (let i = 0; i < 10; i++) learn(`minted ${i}`, 'provider');
  for (let i = 0; i < 200; i++) for (let use = 0; use < 3; use++) learn(`made up ${i}`, 'client');
  const left = Array.from({ length: 10 }, (_, i) => router.holderOf(`minted ${i}`));
  expect(left).not.toContain(undefined);
  // The latest of them are known all the same: after a restart there is nothing else.
  expect(router.holderOf('made up 199')).toBeDefined();
});
