import { type BuildOverlayInput, buildOverlay, type WireCandidate } from '@switchyard/overlay-contract';
import { type LoadedOverlay, loadOverlay } from '../../src/overlay/load-overlay.ts';

/** A candidate of one capability at a site named by a letter. */
export function candidate(letter: string, more: Partial<WireCandidate> = {}): WireCandidate {
  return {
    kind: 'inference_model',
    name: 'demo-model',
    site: `site-${letter}`,
    cluster: `provider-${letter}`,
    ...more,
  };
}

/** A valid input: a, b and c in one group under round robin. */
export function sampleInput(more: Partial<BuildOverlayInput> = {}): BuildOverlayInput {
  return {
    scope: { network: 'demo', gateway: 'consumer', namespace: 'grid-system', localSite: 'site-local' },
    provenance: {
      producer: 'test',
      producerVersion: '1.0.0',
      sourceName: 'demo',
      sourceUid: 'uid-1',
      sourceGeneration: 1,
      renderedAt: '2026-01-01T00:00:00Z',
    },
    candidates: ['a', 'b', 'c'].map((letter) => candidate(letter, { selection_group: 0 })),
    selectionPolicy: 'round_robin',
    ...more,
  };
}

/** The text of a valid envelope. */
export function sampleText(more: Partial<BuildOverlayInput> = {}): string {
  return buildOverlay(sampleInput(more)).text;
}

/** A valid document, loaded. */
export function load(text: string): LoadedOverlay {
  const result = loadOverlay(Buffer.from(text));
  if (!result.ok) throw new Error(result.issues.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  return result.loaded;
}

/** A valid envelope, loaded. */
export function sample(more: Partial<BuildOverlayInput> = {}): LoadedOverlay {
  return load(sampleText(more));
}
