import { startFaultUpstream, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/client.ts';
import { ABC, received } from '../support/exchange.ts';
import { type GatewayOptions, startGateway } from '../support/gateway.ts';
import { candidate, overlay } from '../support/overlay.ts';
import { overlayPage, publishAndServe } from '../support/overlay-page.ts';

const model = (name: string): string => JSON.stringify({ model: name, messages: [] });

describe('turns', () => {
  it('traffic for another model shifts nobody’s turn (B01)', async () => {
    await using gateway = await startGateway({
      candidates: [
        candidate('provider-a', { name: 'm1' }),
        candidate('provider-b', { name: 'm1' }),
        candidate('provider-c', { name: 'm2' }),
      ],
    });
    for (let n = 0; n < 50; n++) {
      await ask(gateway.app.ports.proxy ?? 0, { body: model('m1') });
      await ask(gateway.app.ports.proxy ?? 0, { body: model('m2') });
    }
    expect(received(gateway, ABC)).toEqual([25, 25, 50]);
  });

  it('five requests over five providers reach five of them (B02)', async () => {
    const clusters = ['provider-1', 'provider-2', 'provider-3', 'provider-4', 'provider-5'];
    await using gateway = await startGateway({ clusters });
    for (let n = 0; n < 5; n++) await ask(gateway.app.ports.proxy ?? 0);
    expect(received(gateway, clusters)).toEqual([1, 1, 1, 1, 1]);
  });

  it('publishing the same members again and again does not send everyone to the first (B05)', async () => {
    await using gateway = await startGateway({ routing: { reload: { debounceMs: 0 } } });
    const sequence: unknown[] = [];
    for (let n = 0; n < 12; n++) {
      const reply = await ask(gateway.app.ports.proxy ?? 0);
      sequence.push(reply.headers['x-switchyard-provider']);
      // The score is inside the digest, so each document is another revision of the same members.
      const next = overlay(
        ABC.map((name) => candidate(name, { score: (n + 1) / 100 })),
        { generation: n + 2 },
      );
      await publishAndServe(gateway, next);
    }
    expect(sequence).toEqual([...ABC, ...ABC, ...ABC, ...ABC]);
  });
});

describe('weights', () => {
  const weighted = (changes: GatewayOptions = {}): GatewayOptions => ({
    policy: 'weighted_round_robin',
    clusters: ['provider-a', 'provider-b'],
    candidates: ['provider-a', 'provider-b'].map((name) => candidate(name, { traffic_weight: 1 })),
    routing: { affinity: { enabled: true } },
    ...changes,
  });

  it('that are no whole number from 1 are refused with their path, not taken for another (B08, B10, S6)', async () => {
    const good = overlay(
      [candidate('provider-a', { traffic_weight: 1 }), candidate('provider-b', { traffic_weight: 1 })],
      { policy: 'weighted_round_robin' },
    );
    await using gateway = await startGateway(weighted({ initialText: good.text }));
    const wrong = ['null', '"3"', '-1', '0', '1.5', '1e9', '1e999', '0.30000000000000004', 'true'];
    for (const [n, weight] of wrong.entries()) {
      // As text: 1e999 is nothing that JSON.stringify writes.
      await gateway.publish(good.text.replace(/("traffic_weight": ?)1/, `$1${weight}`));
      const page = await waitUntil(async () => {
        const now = await overlayPage(gateway);
        return now.counters.rejected > n && now;
      });
      expect(page.lastRejected?.issues.map(({ path }) => path)).toContain(
        'overlay.candidates[0].traffic_weight',
      );
      expect(page.serving?.revision).toBe(good.revision);
    }
  });

  it('an endpoint of weight 0 gets nothing at all; a cluster of such endpoints alone is passed over (B08, S6)', async () => {
    await using drained = await startFaultUpstream({ name: 'drained' });
    await using gateway = await startGateway({
      clusters: ['provider-a', 'provider-b'],
      clusterOf: (name) => (name === 'provider-a' ? { endpoints: [{ url: drained.origin, weight: 0 }] } : {}),
      policy: 'deterministic',
    });
    for (let n = 0; n < 20; n++)
      expect((await ask(gateway.app.port('proxy'))).headers['x-switchyard-provider']).toBe('provider-b');
    expect(drained.requests).toHaveLength(0);
    await using nobody = await startGateway({
      clusters: ['provider-a'],
      cluster: { endpoints: [{ url: drained.origin, weight: 0 }] },
    });
    const reply = await ask(nobody.app.port('proxy'));
    expect(reply.status).toBe(503);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'no_viable_provider' } });
  });

  it('a drained provider with a weight keeps its sessions and gets no other, without dividing by nothing (B11)', async () => {
    const two = (admission: 'new_and_existing' | 'existing_only'): ReturnType<typeof overlay> =>
      overlay(
        [
          candidate('provider-b', { traffic_weight: 1, selection_group: 0 }),
          candidate('provider-a', {
            traffic_weight: 1,
            admission_state: admission,
            selection_group: admission === 'existing_only' ? 1 : 0,
          }),
        ],
        { policy: 'weighted_round_robin', generation: admission === 'existing_only' ? 2 : 1 },
      );
    await using gateway = await startGateway(weighted({ initialText: two('new_and_existing').text }));
    const askAs = async (session: string): Promise<unknown> =>
      (await ask(gateway.app.ports.proxy ?? 0, { headers: { 'x-session-id': session } })).headers[
        'x-switchyard-provider'
      ];
    const homes = new Map<string, unknown>();
    for (const session of ['s1', 's2']) homes.set(session, await askAs(session));
    const drained = two('existing_only');
    await publishAndServe(gateway, drained);
    for (const [session, home] of homes) expect(await askAs(session)).toBe(home);
    for (const session of ['s3', 's4', 's5', 's6']) expect(await askAs(session)).toBe('provider-b');
  });
});
