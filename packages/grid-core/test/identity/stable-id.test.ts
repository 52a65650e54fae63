import { describe, expect, it } from 'vitest';
import { fnv1a32, identityKey } from '../../src/identity/stable-id.ts';
import { type CandidateIdentity, stableId } from '../../src/index.ts';

const identity = (name: string, site: string, cluster: string): CandidateIdentity => ({
  kind: 'inference_model',
  name,
  site,
  cluster,
});

describe('stableId', () => {
  it.each([
    ['', '811c9dc5'],
    ['a', 'e40c292c'],
    ['inference_model/model-a/site-a/cluster-a', '218148b9'],
    ['inference_model/Qwen/Qwen3-0.6B/east/vcr-east-provider', '9d876274'],
  ])('hashes %j to %s', (text, expected) => {
    expect(fnv1a32(text)).toBe(expected);
  });

  it('joins kind, name, site and cluster', () => {
    expect(stableId(identity('model-a', 'site-a', 'cluster-a'))).toBe('218148b9');
    expect(stableId(identity('Qwen/Qwen3-0.6B', 'east', 'vcr-east-provider'))).toBe('9d876274');
  });

  it('pads to eight digits and hashes bytes, not code units', () => {
    // fnv1a32 of the two UTF-8 bytes c3 a4.
    const byHand = [0xc3, 0xa4].reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
    expect(fnv1a32('ä')).toBe(byHand.toString(16).padStart(8, '0'));
    // Found by search: the hash has a leading zero.
    const padded = Array.from({ length: 1000 }, (_, index) => fnv1a32(String(index)));
    expect(padded.every((id) => /^[0-9a-f]{8}$/.test(id))).toBe(true);
    expect(padded.some((id) => id.startsWith('0'))).toBe(true);
  });

  it('cannot tell two identities apart that differ in where the slash is, unlike the map key', () => {
    const left = identity('x/y', 'z', 'c');
    const right = identity('x', 'y/z', 'c');
    expect(stableId(left)).toBe(stableId(right));
    expect(identityKey(left)).not.toBe(identityKey(right));
  });
});
