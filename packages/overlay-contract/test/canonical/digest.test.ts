import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { OverlayContractError, overlayDigest } from '../../src/index.ts';

function candidate(letter: string, rank: number, stableId: string): Record<string, unknown> {
  return {
    kind: 'inference_model',
    name: `model-${letter}`,
    site: `site-${letter}`,
    cluster: `cluster-${letter}`,
    fresh: true,
    stable_id: stableId,
    rank,
  };
}

describe('overlayDigest', () => {
  const minimal = { network: 'test-net', local_site: 'site-a', candidates: [candidate('a', 0, 'abcd1234')] };

  it('reproduces the published digest of a minimal overlay', () => {
    expect(overlayDigest(minimal)).toBe('abd5f4855454390febb53ad2085d182c465a78c5d14f0132317b4c9335aa8494');
  });

  it('reproduces the published digest of an overlay with policy and groups', () => {
    const overlay = {
      network: 'test-net',
      local_site: 'site-a',
      selection_policy: { mode: 'roundRobin' },
      candidates: [
        { ...candidate('a', 0, 'abcd1234'), selection_group: 0 },
        { ...candidate('b', 1, 'efgh5678'), selection_group: 0 },
      ],
    };
    expect(overlayDigest(overlay)).toBe('d3321586b5e414b8bd80c07a9d16ac10dce38d6810e3591a8526a6bdd0639007');
  });

  it('leaves out what does not decide routing', () => {
    expect(overlayDigest({ ...minimal, generated_at: 'now', colour: 'teal' })).toBe(overlayDigest(minimal));
  });

  it('tells absent from null and one spelling of the policy from the other', () => {
    const digests = [undefined, null, 'round_robin', { mode: 'roundRobin' }].map((policy) =>
      overlayDigest(policy === undefined ? minimal : { ...minimal, selection_policy: policy }),
    );
    expect(new Set(digests).size).toBe(4);
  });

  it('hashes what is there, however odd: the structure is judged elsewhere', () => {
    for (const odd of [{}, { candidates: [] }, { candidates: 'none' }])
      expect(overlayDigest(odd)).toMatch(/^[0-9a-f]{64}$/);
    expect(overlayDigest({})).not.toBe(overlayDigest({ candidates: [] }));
  });

  it('gives the same digest when the content spans many chunks', () => {
    const note = 'ü'.repeat(50_000);
    const candidates = [1, 2, 3, 4, 5].map((rank) => ({ ...candidate('a', rank, 'x'), note }));
    const overlay = { ...minimal, candidates };
    const whole = createHash('sha256')
      .update(String(canonicalize(overlay)), 'utf8')
      .digest('hex');
    expect(overlayDigest(overlay)).toBe(whole);
  });

  it('names the value that has no canonical form', () => {
    const broken = { candidates: [{}, { load: [0, Number.NaN] }] };
    expect(() => overlayDigest(broken)).toThrow(OverlayContractError);
    expect(() => overlayDigest({ network: Number.NaN })).toThrow('not_canonicalizable at network: found');
    expect(() => overlayDigest(broken)).toThrow(
      'not_canonicalizable at candidates[1].load[1]: found the number NaN',
    );
  });
});
