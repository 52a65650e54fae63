// Overlays of any size, with every optional field: about 520 bytes per candidate, three candidates per model.
import { overlayDigest } from '../../packages/overlay-contract/dist/index.js';

/** A valid envelope as bytes. Another salt gives another revision with the same members. */
export function makeDocument(count, salt = 0) {
  const overlay = {
    network: 'bench',
    local_site: 'site-0',
    selection_policy: 'round_robin',
    candidates: Array.from({ length: count }, (_, i) => makeCandidate(i, salt)),
  };
  const value = overlayDigest(overlay);
  const envelope = {
    schema_version: '1.0.0',
    revision: { kind: 'content_addressed', algorithm: 'sha256', value },
    content_digest: { algorithm: 'sha256', value },
    scope: { network: 'bench', gateway: 'bench', namespace: 'bench', local_site: 'site-0' },
    provenance: {
      producer: 'bench',
      producer_version: '1',
      source_name: 'bench',
      source_uid: 'bench',
      source_generation: salt + 1,
      rendered_at: '2026-01-01T00:00:00Z',
    },
    overlay,
  };
  return { bytes: Buffer.from(JSON.stringify(envelope)), revision: value };
}

function makeCandidate(i, salt) {
  const part = (n) => ((i * 7919 + n * 104_729 + salt) % 1_000_003) / 1_000_003;
  return {
    kind: 'inference_model',
    name: `organisation/model-${Math.floor(i / 3)}`,
    site: `site-${i % 3}`,
    cluster: `provider-${i % 3}`,
    fresh: true,
    stable_id: `id-${i.toString(16).padStart(8, '0')}`,
    rank: i,
    score: part(0),
    score_breakdown: Object.fromEntries(
      ['latency', 'queue', 'cache', 'cost', 'load', 'errors', 'locality'].map((key, n) => [key, part(n + 1)]),
    ),
    admission_state: 'new_and_existing',
    selection_tier: 'same_region',
    selection_group: 0,
    ...(i % 4 === 0 && {
      credential: {
        strategy: 'bearer_token',
        secretRef: { name: `secret-${i % 50}`, namespace: 'grid', key: 'token' },
      },
    }),
    ...(i % 10 === 0 && { x_note: 'südwest' }),
  };
}
