import { describe, expect, it } from 'vitest';
import { type OverlayChange, sameMeaning } from '../../src/overlay/changes.ts';
import { semanticDiff } from '../../src/overlay/semantic-diff.ts';
import { candidate, load, sample, sampleText } from '../support/sample.ts';

/** `type effect cluster field: before -> after`. */
function said(changes: readonly OverlayChange[]): string[] {
  return changes.map(({ type, effect, member, field, before, after }) =>
    [type, effect, member?.cluster, field, JSON.stringify(before), JSON.stringify(after)]
      .filter((part) => part !== undefined && part !== null)
      .join(' '),
  );
}

describe('semanticDiff', () => {
  it('tells who came, who left, and who moved to another group, another admission, another weight', () => {
    const before = sample({
      selectionPolicy: 'weighted_random',
      candidates: [
        candidate('a', { selection_group: 0, traffic_weight: 1 }),
        candidate('b', { selection_group: 0, traffic_weight: 1 }),
        candidate('c', { selection_group: 1, traffic_weight: 1 }),
      ],
    });
    const after = sample({
      selectionPolicy: 'weighted_random',
      candidates: [
        candidate('a', { selection_group: 0, traffic_weight: 5 }),
        candidate('d', { selection_group: 0, traffic_weight: 1 }),
        candidate('b', { selection_group: 1, traffic_weight: 1, admission_state: 'existing_only' }),
      ],
    });
    const changes = semanticDiff(before, after);
    expect(changes.map(({ type, member }) => `${type} ${member?.cluster}`)).toEqual([
      'member_removed provider-c',
      'weight provider-a',
      'member_added provider-d',
      'group provider-b',
      'admission provider-b',
    ]);
    expect(changes.every(({ effect }) => effect === 'routing')).toBe(true);
    expect(said(changes).slice(3)).toEqual([
      'group routing provider-b selection_group 0 1',
      'admission routing provider-b admission_state "new_and_existing" "existing_only"',
    ]);
  });

  it('calls a change of order one of routing where order decides, and one of spelling where it does not', () => {
    const candidates = ['a', 'b'].map((letter) => candidate(letter, { selection_group: 0 }));
    const turned = [...candidates].reverse();
    const under = (selectionPolicy: 'deterministic' | 'round_robin'): string[] =>
      semanticDiff(
        sample({ selectionPolicy, candidates }),
        sample({ selectionPolicy, candidates: turned }),
      ).map(({ type, effect }) => `${type} ${effect}`);
    expect(under('deterministic')).toEqual(['order routing']);
    expect(under('round_robin')).toEqual(['order spelling']);
  });

  it('notices capabilities that are only mixed in another way', () => {
    const [a, b] = [
      candidate('a', { selection_group: 0 }),
      candidate('b', { selection_group: 0, name: 'other' }),
    ];
    const changes = semanticDiff(sample({ candidates: [a, b] }), sample({ candidates: [b, a] }));
    expect(changes.map(({ type, effect }) => `${type} ${effect}`)).toEqual(['document_order spelling']);
    expect(sameMeaning(changes)).toBe(true);
  });

  it('tells credentials, stable ids, ranks and additive fields apart', () => {
    const one = (more: Parameters<typeof candidate>[1]) =>
      sample({ candidates: [candidate('a', { selection_group: 0, ...more })] });
    const credential = {
      strategy: 'bearer_token' as const,
      secretRef: { name: 's', namespace: 'n', key: 'k' },
    };
    expect(said(semanticDiff(one({}), one({ credential, stable_id: 'x', rank: 1, x_cost: [1] })))).toEqual([
      'stable_id routing provider-a stable_id "inference_model/demo-model/site-a/provider-a" "x"',
      `credential routing provider-a credential null ${JSON.stringify(credential)}`,
      'member_field content provider-a rank null 1',
      'additive_field content provider-a x_cost null [1]',
    ]);
  });

  it('calls explicit defaults the same in other words', () => {
    const one = (more: Parameters<typeof candidate>[1]) =>
      sample({ candidates: [candidate('a', { selection_group: 0, ...more })] });
    const explicit = one({
      fresh: true,
      admission_state: 'new_and_existing',
      stable_id: 'inference_model/demo-model/site-a/provider-a',
    });
    const changes = semanticDiff(one({}), explicit);
    expect(changes.map(({ type, effect, before }) => [type, effect, before])).toEqual([
      ['admission', 'spelling', null],
      ['stable_id', 'spelling', null],
      ['member_field', 'spelling', null],
    ]);
    expect(sameMeaning(changes)).toBe(true);
  });

  it('reports scope apart from provenance, and an envelope that became a bare overlay as one change', () => {
    const scope = { network: 'demo', gateway: 'other', namespace: 'grid-system', localSite: 'site-local' };
    expect(said(semanticDiff(sample(), sample({ scope, generatedAt: 'now' })))).toEqual([
      'scope scope scope.gateway "consumer" "other"',
      'metadata metadata overlay.generated_at null "now"',
    ]);
    const bare = JSON.stringify((JSON.parse(sampleText()) as { overlay: unknown }).overlay);
    expect(said(semanticDiff(sample(), load(bare)))).toEqual(['format scope "envelope" "legacy"']);
  });
});
