import { createHash } from 'node:crypto';
import { bench, describe } from 'vitest';
import {
  buildOverlay,
  canonicalJson,
  overlayDigest,
  parseOverlay,
  type WireCandidate,
} from '../src/index.ts';

// The floor is what no validator can avoid: decode, parse, hash. Read ratios within one table, not absolutes.

function candidate(index: number): WireCandidate {
  return {
    kind: 'inference_model',
    name: `model-${index % 7}`,
    site: `südwest-${index}`,
    cluster: `cluster-${index}`,
    stable_id: index.toString(16).padStart(8, '0'),
    fresh: true,
    rank: index,
    score: 1 / (index + 3),
    score_breakdown: { queue: 1 / (index + 7), cache: 1 / (index + 11), load: 1 / (index + 13) },
    admission_state: 'new_and_existing',
    selection_tier: 'same_zone',
    selection_group: 0,
  };
}

function document(count: number): Buffer {
  const built = buildOverlay({
    scope: { network: 'bench', gateway: 'edge', namespace: 'grid', localSite: 'südwest-0' },
    provenance: {
      producer: 'bench',
      producerVersion: '1',
      sourceName: 'bench',
      sourceUid: 'uid',
      sourceGeneration: 1,
      renderedAt: '2026-01-01T00:00:00Z',
    },
    candidates: Array.from({ length: count }, (_, index) => candidate(index)),
    selectionPolicy: 'round_robin',
  });
  return Buffer.from(built.text);
}

for (const count of [3, 100, 1000]) {
  const bytes = document(count);
  const root = JSON.parse(bytes.toString()) as { overlay: Record<string, unknown> };

  describe(`${count} candidates, ${bytes.length} bytes`, () => {
    bench('floor: JSON.parse + sha256 of the bytes', () => {
      JSON.parse(bytes.toString());
      createHash('sha256').update(bytes).digest('hex');
    });
    bench('parseOverlay', () => {
      parseOverlay(bytes);
    });
    bench('overlayDigest', () => {
      overlayDigest(root.overlay);
    });
    bench('canonicalJson', () => {
      canonicalJson(root.overlay);
    });
    bench('floor of canonicalJson: JSON.stringify', () => {
      JSON.stringify(root.overlay);
    });
  });
}
