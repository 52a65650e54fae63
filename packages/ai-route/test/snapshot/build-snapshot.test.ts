import { describe, expect, it } from 'vitest';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { compareMembers, lowerBound, memberKey } from '../../src/snapshot/member-order.ts';
import { findCapability } from '../../src/snapshot/snapshot.ts';
import { candidate, groupsOf, overlayWith } from '../support/rotation.ts';

describe('the index of a snapshot', () => {
  it('finds a capability by exact kind and name', () => {
    const snapshot = buildSnapshot(
      overlayWith([candidate('a'), candidate('a', { kind: 'mcp_tool', stableId: 'tool' })]),
      undefined,
    );
    expect(findCapability(snapshot, { kind: 'mcp_tool', name: 'm' })?.byStableId.has('tool')).toBe(true);
    expect(findCapability(snapshot, { kind: 'inference_model', name: 'm' })?.byStableId.has('tool')).toBe(
      false,
    );
    for (const name of ['M', ' m', 'm ', '', '__proto__', 'constructor']) {
      expect(findCapability(snapshot, { kind: 'inference_model', name })).toBeUndefined();
    }
  });

  it('numbers groups in the order of their capabilities, however candidates are interleaved', () => {
    const candidates = [
      candidate('a', { name: 'x' }),
      candidate('a', { name: 'y', kind: 'mcp_tool' }),
      candidate('b', { name: 'x', selectionGroup: 1 }),
      candidate('c', { name: 'z' }),
      candidate('b', { name: 'y', kind: 'mcp_tool', selectionGroup: 1 }),
    ];
    const snapshot = buildSnapshot(overlayWith(candidates), undefined);
    const ordinals = [...snapshot.capabilities].flatMap(({ groups }) => groups.map(({ ordinal }) => ordinal));
    expect(ordinals).toEqual([0, 1, 2, 3, 4]);
    for (const [ordinal, group] of groupsOf(snapshot).entries()) expect(group.ordinal).toBe(ordinal);
  });

  it('orders members canonically for rotating policies and keeps the overlay order for deterministic ones', () => {
    const candidates = ['b', 'c', 'a'].map((site) => candidate(site));
    const sites = (policy: 'round_robin' | 'deterministic') =>
      groupsOf(buildSnapshot(overlayWith(candidates, policy), undefined))[0]?.members.map(
        (one) => one.candidate.site,
      );
    expect(sites('round_robin')).toEqual(['a', 'b', 'c']);
    expect(sites('deterministic')).toEqual(['b', 'c', 'a']);
  });

  it('serves a capability without groups in overlay order, whatever the policy', () => {
    const ungrouped = ['b', 'a'].map((site) => {
      const { selectionGroup: _, ...rest } = candidate(site);
      return rest;
    });
    const snapshot = buildSnapshot(overlayWith(ungrouped, 'round_robin'), undefined);
    const [capability] = [...snapshot.capabilities];
    expect(capability?.policy).toBe('deterministic');
    expect(capability?.groups.map(({ index }) => index)).toEqual([null]);
    expect(capability?.groups[0]?.members.map((one) => one.candidate.site)).toEqual(['b', 'a']);
  });

  it('lists unknown clusters once, and only when the gateway says which ones it has', () => {
    const overlay = overlayWith([candidate('a'), candidate('b'), candidate('b', { name: 'n' })]);
    expect(buildSnapshot(overlay, undefined).unknownClusters).toEqual([]);
    expect(buildSnapshot(overlay, new Set(['c-a'])).unknownClusters).toEqual(['c-b']);
  });

  it('takes 10,000 candidates', () => {
    const candidates = Array.from({ length: 10_000 }, (_, i) =>
      candidate(`s${i % 16}`, { name: `m${i >> 4}`, stableId: `id-${i}` }),
    );
    expect(groupsOf(buildSnapshot(overlayWith(candidates), undefined))).toHaveLength(625);
  });
});

describe('the order of members', () => {
  it('goes by site, name, cluster, kind, in code units and not in any locale', () => {
    const sorted = ['B', 'a', 'ä', '\u{1f600}', '\ufb01']
      .map((site) => candidate(site))
      .toSorted(compareMembers);
    expect(sorted.map(({ site }) => site)).toEqual(['B', 'a', 'ä', '\u{1f600}', '\ufb01']);
    const clusters = ['y', 'x'].map((cluster) => candidate('a', { cluster })).toSorted(compareMembers);
    expect(clusters.map(({ cluster }) => cluster)).toEqual(['x', 'y']);
  });

  it('has a key per member that no two share', () => {
    expect(memberKey(candidate('a', { cluster: 'bc' }))).not.toBe(
      memberKey(candidate('ab', { cluster: 'c' })),
    );
    expect(memberKey(candidate('1', { cluster: '1:a' }))).not.toBe(
      memberKey(candidate('1:1', { cluster: 'a' })),
    );
  });

  it('finds the first member not before another one', () => {
    const members = ['b', 'd', 'f'].map((site) => candidate(site));
    const bounds = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((site) => lowerBound(members, candidate(site)));
    expect(bounds).toEqual([0, 0, 1, 1, 2, 2, 3]);
  });
});
