import { buildOverlay, type OverlayScope, type WireCandidate } from '@switchyard/overlay-contract';

/** Whom the overlays of these tests are for. */
export const SCOPE: OverlayScope = {
  network: 'demo',
  gateway: 'consumer',
  namespace: 'grid-system',
  localSite: 'site-local',
};

/** What may differ from one sample to the next. */
export interface SampleOptions {
  /** Clusters of the candidates; others make another revision. */
  readonly clusters?: readonly string[];
  /** `source_generation`: in the bytes, not in the revision. */
  readonly generation?: number;
  readonly scope?: OverlayScope;
  readonly more?: Partial<WireCandidate>;
}

/** A valid envelope. */
export function sample(options: SampleOptions = {}): { readonly text: string; readonly revision: string } {
  const { clusters = ['provider-a', 'provider-b'], generation = 1, scope = SCOPE, more = {} } = options;
  return buildOverlay({
    scope,
    provenance: {
      producer: 'overlay-sync-tests',
      producerVersion: '1.0.0',
      sourceName: scope.network,
      sourceUid: 'uid-1',
      sourceGeneration: generation,
      renderedAt: '2026-01-01T00:00:00Z',
    },
    candidates: clusters.map((cluster) => ({
      kind: 'inference_model',
      name: 'demo-model',
      site: `site-${cluster}`,
      cluster,
      selection_group: 0,
      ...more,
    })),
    selectionPolicy: 'round_robin',
  });
}
