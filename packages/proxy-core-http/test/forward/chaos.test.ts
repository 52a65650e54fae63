import { setTimeout as delay } from 'node:timers/promises';
import { type FaultMode, seededRandom, startFaultUpstream, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { startProxy } from '../support/proxy.ts';
import { openClient, post } from '../support/stream-client.ts';

const MODES: readonly FaultMode[] = [
  ...(['ok', 'reset', 'hang', 'split', 'crlf', 'gztrunc', 'shortcl', 'leak'] as const),
  ...(['status:429:1', 'status:503', 'cut:0', 'cut:2', 'cut:1:fin', 'stall:0', 'stall:2'] as const),
  ...(['slow:30', 'pace:5', 'early:413', 'big:300000', 'flood:20', 'idle:0', 'idle:2'] as const),
];
const SEED = Number(process.env['CHAOS_SEED'] ?? 20260101);
const EXCHANGES = 300;

describe.each(['collect', 'stream'] as const)(
  '300 exchanges with random faults and random departures, body %s',
  (body) => {
    it(`each ends with one outcome, and nothing stays open (CHAOS_SEED=${SEED})`, async () => {
      const random = seededRandom(SEED);
      const below = (n: number): number => random() % n;
      await using faulty = await startFaultUpstream();
      await using proxy = await startProxy(faulty.origin, {
        body,
        forward: {
          timeouts: { firstByteMs: 80, idleMs: 80, totalMs: 2000 },
          judge: ({ status }) => (status >= 500 || status === 429 ? 'reject' : 'commit'),
        },
      });

      const one = async (): Promise<void> => {
        const mode = MODES[below(MODES.length)] ?? 'ok';
        const content = JSON.stringify({
          stream: below(2) === 0,
          pad: 'x'.repeat(below(3) === 0 ? 100_000 : 10),
        });
        const client = openClient(proxy.port, post(content, [`x-fault-mode: ${mode}`, 'Connection: close']));
        const leaveAfterMs = below(3) === 0 ? below(60) : -1;
        if (leaveAfterMs >= 0) {
          const leave = (): unknown =>
            below(2) === 0 ? client.socket.resetAndDestroy() : client.socket.destroy();
          await Promise.race([delay(leaveAfterMs), client.ended]);
          leave();
        }
        await client.ended;
      };
      let left = EXCHANGES;
      const worker = async (): Promise<void> => {
        while (left-- > 0) await one();
      };
      await Promise.all(Array.from({ length: 8 }, worker));

      // Clients that left before the proxy had read their request never became an exchange.
      await waitUntil(() => faulty.requests.length > 0 && proxy.begun === proxy.outcomes.length);
      const kinds = new Set(proxy.outcomes.map(({ kind }) => kind));
      expect([...kinds].sort()).toEqual(['broken', 'client_gone', 'completed', 'failed', 'rejected']);
      const blamedOnUs = proxy.outcomes.filter(
        (outcome) => outcome.kind === 'failed' && outcome.reason === 'local',
      );
      expect(blamedOnUs).toEqual([]);
      // Waits for every exchange that the connections still carry: one that was forgotten would hold it up.
      await proxy.upstream.close();
    });
  },
);
