import { type BuildOverlayInput, buildOverlay, type WireCandidate } from '../../src/index.ts';

/** A candidate of one capability at a site. */
export function sampleCandidate(site: string, more: Partial<WireCandidate> = {}): WireCandidate {
  return { kind: 'inference_model', name: 'tinker-8b', site, cluster: `pool-${site}`, ...more };
}

/** A valid input: three candidates in one group under round robin. */
export function sampleInput(more: Partial<BuildOverlayInput> = {}): BuildOverlayInput {
  return {
    scope: { network: 'atlas', gateway: 'front-door', namespace: 'edge', localSite: 'harbor' },
    provenance: {
      producer: 'unit-test',
      producerVersion: '3.1.4',
      sourceName: 'atlas',
      sourceUid: 'b7c1',
      sourceGeneration: 12,
      renderedAt: '2026-03-01T08:30:00Z',
    },
    candidates: ['harbor', 'orchard', 'quarry'].map((site) => sampleCandidate(site, { selection_group: 0 })),
    selectionPolicy: 'round_robin',
    ...more,
  };
}

/** The text of a valid envelope. */
export function sampleText(more: Partial<BuildOverlayInput> = {}): string {
  return buildOverlay(sampleInput(more)).text;
}
