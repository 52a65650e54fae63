import { describe, expect, it } from 'vitest';
import { createRouter } from '../src/index.ts';

describe('createRouter', () => {
  it('shares requests among the members of the group in turn', async () => {
    const candidates = ['c', 'a', 'b'].map((site) => ({
      kind: 'inference_model' as const,
      name: 'demo-model',
      site,
      cluster: `provider-${site}`,
      selectionGroup: 0,
    }));
    const router = await createRouter({ candidates, localSite: 'here', selectionPolicy: 'round_robin' });
    const picked = Array.from({ length: 6 }, () => {
      const result = router.select({ kind: 'inference_model', name: 'demo-model' });
      return result.ok ? result.selection.decision.candidate.site : result.reason;
    });
    expect(picked).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });
});
