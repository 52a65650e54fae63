import { ManualClock } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BindingTokens, TOKEN_LENGTH_MAX } from '../../src/affinity/binding-token.ts';
import type { Router } from '../../src/index.ts';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, publication } from '../support/overlays.ts';
import { ANSWERED, candidatesOf, selectionOf, staticRouter } from '../support/static-router.ts';

const key = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);

function routerWith(
  clock: ManualClock,
  keys: readonly Uint8Array[] = [key(1)],
  options: { onReturn?: 'stay' | 'failBack' } = {},
): Promise<Router> {
  return staticRouter([...candidatesOf(['abc']), ...candidatesOf(['xyz'], { name: 'other' })], {
    affinity: { enabled: true, mode: 'cookie', ttlSeconds: 100, keys, ...options },
    viability: { consecutiveFailures: 1, ejectionMs: 1000, jitter: 0 },
    clock,
  });
}

/** A client that keeps the token it is given, as browsers do. */
class Client {
  token: string | undefined;

  /** What one request that succeeds gets, and whether a token came with it. */
  ask(router: Router, name: string = MODEL.name): string {
    const selection = selectionOf(router.select({ ...MODEL, name, sessionKey: this.token }));
    const token = selection.sessionToken();
    selection.end(ANSWERED);
    this.token = token ?? this.token;
    const { candidate, affinity } = selection.decision;
    return `${candidate.site} ${affinity}${token === undefined ? '' : ' +token'}`;
  }
}

describe('a session kept by the client', () => {
  it('is created with a token, and reused without another one', async () => {
    const router = await routerWith(new ManualClock());
    const [one, two] = [new Client(), new Client()];
    expect([one.ask(router), one.ask(router)]).toEqual(['a created +token', 'a reused']);
    expect([two.ask(router), two.ask(router), one.ask(router)]).toEqual([
      'b created +token',
      'b reused',
      'a reused',
    ]);
  });

  it('survives a restart and holds for every replica', async () => {
    const clock = new ManualClock();
    const client = new Client();
    client.ask(await routerWith(clock));
    const replica = await routerWith(clock);
    replica.select(MODEL);
    expect(client.ask(replica)).toBe('a reused');
  });

  it('P-F5: is of one model: two models in one client do not disturb each other', async () => {
    const router = await routerWith(new ManualClock());
    const client = new Client();
    expect([client.ask(router), client.ask(router, 'other')]).toEqual([
      'a created +token',
      'x created +token',
    ]);
    for (let i = 0; i < 3; i++)
      expect([client.ask(router), client.ask(router, 'other')]).toEqual(['a reused', 'x reused']);
  });

  it('P-F9: expires, and slides when more than half of its time is over', async () => {
    const clock = new ManualClock();
    const router = await routerWith(clock);
    const client = new Client();
    client.ask(router);
    clock.advance(40_000);
    expect(client.ask(router)).toBe('a reused');
    clock.advance(20_000);
    expect(client.ask(router)).toBe('a reused +token');
    clock.advance(99_000);
    expect(client.ask(router)).toBe('a reused +token');
    clock.advance(100_000);
    expect(client.ask(router)).toBe('b created +token');
  });

  it('keys can be changed under it: the first one signs, all verify, a retired one counts no more', async () => {
    const clock = new ManualClock();
    const client = new Client();
    client.ask(await routerWith(clock, [key(1)]));
    expect(client.ask(await routerWith(clock, [key(2), key(1)]))).toBe('a reused +token');
    expect(client.ask(await routerWith(clock, [key(2)]))).toBe('a reused');
    const old = new Client();
    old.ask(await routerWith(clock, [key(1)]));
    expect(old.ask(await routerWith(clock, [key(2)]))).toBe('a created +token');
  });

  it('fails over with a new token, and stays or returns as configured', async () => {
    for (const onReturn of ['stay', 'failBack'] as const) {
      const clock = new ManualClock();
      const router = await routerWith(clock, [key(1)], { onReturn });
      const client = new Client();
      client.ask(router);
      selectionOf(router.select({ ...MODEL, sessionKey: client.token })).end({ result: 'reset' });
      const went = client.ask(router);
      expect(went).toMatch(/^[bc] failed_over \+token$/);
      clock.advance(1000);
      expect(client.ask(router)).toBe(onReturn === 'stay' ? `${went[0]} reused` : 'a reused +token');
    }
  });

  it.each([
    ['stays with its provider after a single error status', 'status_503', 'a reused'],
    ['follows when its provider is out of reach', 'connect_failed', 'b reused'],
  ] as const)('%s', async (_what, result, then) => {
    const clock = new ManualClock();
    const router = await routerWith(clock);
    const client = new Client();
    client.ask(router);
    const next = selectionOf(router.select({ ...MODEL, sessionKey: client.token })).next({ result });
    if (!next.ok) throw new Error(next.reason);
    client.token = next.selection.sessionToken() ?? client.token;
    next.selection.end(ANSWERED);
    expect(client.ask(await routerWith(clock))).toBe(then);
  });

  it('existing_only keeps whoever has a token, on a gateway that never saw the session', async () => {
    const clock = new ManualClock();
    const affinity = { enabled: true, mode: 'cookie' as const, keys: [key(1)] };
    await using lab = await OverlayLab.create();
    await lab.publish(publication({ candidates: [at('a'), at('b')] }).text);
    const client = new Client();
    const { router } = await lab.follow({ affinity, clock });
    expect(client.ask(router)).toBe('a created +token');
    await lab.publish(
      publication({
        candidates: [at('b'), at('a', { selection_group: 1, admission_state: 'existing_only' })],
      }).text,
    );
    const restarted = await lab.follow({ affinity, clock });
    expect(client.ask(restarted.router)).toBe('a reused');
    expect(new Client().ask(restarted.router)).toBe('b created +token');
  });
});

describe('a token', () => {
  const tokens = new BindingTokens([key(1)]);
  const binding = { capability: 'tag', expiresAt: 2_000_000_000, stableId: 'id-a' };

  it('that was changed anywhere counts for nothing', () => {
    const token = tokens.seal([binding]);
    expect(tokens.open(token)).toMatchObject({ current: true, bindings: [{ stableId: 'id-a' }] });
    for (let i = 0; i < token.length; i++) {
      for (const other of ['A', 'B', '.', '~']) {
        const forged = token.slice(0, i) + other + token.slice(i + 1);
        // The last digit of base64 has bits that stand for nothing: what decodes to the same signature is the same.
        const same = Buffer.from(forged.split('.')[2] ?? '', 'base64url').equals(
          Buffer.from(token.split('.')[2] ?? '', 'base64url'),
        );
        if (forged !== token && !(same && i >= token.lastIndexOf('.')))
          expect(tokens.open(forged)).toBeUndefined();
      }
    }
  });

  it('of anybody’s making breaks nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(tokens.open(text)).toBeUndefined();
        expect(tokens.open(`1.${text}.${text}`)).toBeUndefined();
      }),
    );
  });

  it('forged, expired or too long is a request without a session', async () => {
    const router = await routerWith(new ManualClock());
    for (const sessionKey of ['', 'x', '1.W10.AAAA', 'a'.repeat(TOKEN_LENGTH_MAX + 1)])
      expect(selectionOf(router.select({ ...MODEL, sessionKey })).decision.affinity).toBe('created');
  });

  it('never grows beyond what a cookie may hold: the oldest bindings go', () => {
    const many = Array.from({ length: 50 }, (_, i) => ({ ...binding, capability: `tag-${i}` }));
    expect(tokens.open(tokens.seal(many))?.bindings.map(({ capability }) => capability)).toEqual(
      Array.from({ length: 8 }, (_, i) => `tag-${i}`),
    );
    const long = many.map((one) => ({ ...one, stableId: 'é'.repeat(128), original: 'é'.repeat(128) }));
    const token = tokens.seal(long);
    expect(token.length).toBeLessThanOrEqual(TOKEN_LENGTH_MAX);
    expect(tokens.open(token)?.bindings.length).toBeGreaterThan(0);
  });

  it('does not name the model, nor show a key', () => {
    const text = Buffer.from(tokens.seal([binding]).split('.')[1] ?? '', 'base64url').toString();
    expect(text).toBe('[["tag",2000000000,"id-a"]]');
  });
});
