import { expect, it } from 'vitest';
import { endAt, FAILED, routerOf } from '../support/health-lab.ts';
import { MODEL } from '../support/overlays.ts';
import { selectionOf } from '../support/static-router.ts';

it('a session says that it failed over when all of its group is ejected', async () => {
  const { router } = await routerOf(['a', 'bc'], { affinity: { enabled: true, mode: 'rendezvous' } });
  for (let i = 0; i < 2; i++) endAt(router, 'a', FAILED);
  const { decision } = selectionOf(router.select({ ...MODEL, sessionKey: 's' }));
  expect(decision).toMatchObject({ group: 1, affinity: 'failed_over' });
});
