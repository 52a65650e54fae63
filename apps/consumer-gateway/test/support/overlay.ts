import {
  type BuiltOverlay,
  buildOverlay,
  type SelectionPolicy,
  type WireCandidate,
} from '@switchyard/overlay-contract';

/** The scope of every overlay in these tests. */
export const SCOPE = {
  network: 'demo',
  gateway: 'consumer',
  namespace: 'grid-system',
  localSite: 'site-local',
} as const;

/** What differs between the overlays of the tests. */
export interface OverlayOptions {
  readonly policy?: SelectionPolicy;
  readonly generation?: number;
}

/** One candidate of `demo-model` in group 0; its site is named after the last letter of its cluster. */
export function candidate(cluster: string, changes: Partial<WireCandidate> = {}): WireCandidate {
  const site = `site-${cluster.slice(-1)}`;
  return { kind: 'inference_model', name: 'demo-model', site, cluster, selection_group: 0, ...changes };
}

/** An envelope that the gateway accepts. */
export function overlay(candidates: readonly WireCandidate[], options: OverlayOptions = {}): BuiltOverlay {
  return buildOverlay({
    scope: SCOPE,
    provenance: {
      producer: 'test',
      producerVersion: '1.0.0',
      sourceName: SCOPE.network,
      sourceUid: 'uid-1',
      sourceGeneration: options.generation ?? 1,
      renderedAt: '2026-01-01T00:00:00Z',
    },
    candidates,
    selectionPolicy: options.policy ?? 'round_robin',
  });
}
