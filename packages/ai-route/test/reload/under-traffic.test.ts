import { rm } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { OverlayLab } from '../support/overlay-lab.ts';
import { at, MODEL, publication } from '../support/overlays.ts';

const SITES = ['a', 'b', 'c', 'd', 'e'];

describe('P-E4: while the overlay is rewritten', () => {
  // Three seconds of it are waiting already, for documents that might be half written.
  it('no request fails, and each is explained by the snapshot it names', { timeout: 60_000 }, async () => {
    await using lab = await OverlayLab.create();
    const published = new Map<string, ReadonlySet<string>>();
    const publish = async (round: number): Promise<string> => {
      const sites = SITES.filter((_, i) => i !== round % SITES.length);
      const { text, revision } = publication({
        candidates: sites.map((site) => at(site)),
        generation: round + 1,
      });
      published.set(revision, new Set(sites));
      await lab.publish(text);
      return revision;
    };
    await publish(0);
    const { router, events } = await lab.follow({ reload: { debounceMs: 0 } });

    let writing = true;
    const rewrite = async (): Promise<void> => {
      for (let round = 1; round <= 40; round++) {
        const revision = await publish(round);
        await events.next('accepted', (event) => event.revision === revision);
        if (round % 10 === 0) {
          await lab.publish('{"broken');
          await events.next('rejected');
          await rm(lab.file);
          await events.next('unreadable');
        }
      }
      writing = false;
    };
    const request = async (): Promise<number> => {
      const served = new Set<string>();
      while (writing) {
        const result = router.select(MODEL);
        if (!result.ok) throw new Error(result.reason);
        const { servingRevision, candidate } = result.selection.decision;
        expect(published.get(servingRevision)).toContain(candidate.site);
        served.add(servingRevision);
        await turn();
      }
      return served.size;
    };
    const [, revisions] = await Promise.all([rewrite(), request()]);
    expect(revisions).toBeGreaterThan(4);
    expect(router.status().counters).toMatchObject({ accepted: 41, rejected: 4, unreadable: 4 });
  });
});
