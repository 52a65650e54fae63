import type { WireCandidate } from '@switchyard/overlay-contract';
import fc from 'fast-check';
import type { RoutingCandidate, RoutingOverlay } from '../../src/snapshot/routing-overlay.ts';
import { publication } from './overlays.ts';

/** Text that is awkward to carry from process to process: not Latin-1, astral, combining, with quotes and line ends. */
const name = fc
  .stringMatching(/^[a-z]{1,3}$/)
  .chain((base) => fc.constantFrom(base, `${base}ü`, `${base}\u{1f600}`, `${base}é`, `${base}"\\\n`));

/** Candidates that the contract accepts together. */
export const wireCandidates: fc.Arbitrary<WireCandidate[]> = fc
  .uniqueArray(
    fc.record(
      {
        kind: fc.constantFrom('inference_model', 'mcp_tool'),
        name,
        site: name,
        cluster: name,
        stable_id: fc.uuid(),
        fresh: fc.boolean(),
        rank: fc.constantFrom(0, 7, 2 ** 32 - 1),
        score: fc.double({ noNaN: true, noDefaultInfinity: true }),
        selection_tier: name,
        x_extra: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: ['kind', 'name', 'site', 'cluster', 'stable_id'] },
    ),
    { minLength: 1, maxLength: 12, selector: (c) => JSON.stringify([c.kind, c.name, c.site, c.cluster]) },
  )
  .map((candidates) => candidates as WireCandidate[]);

/** Documents: whole ones, and whole ones with something wrong. */
export const documents: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    wireCandidates,
    fc.constantFrom('deterministic', 'round_robin', 'weighted_random'),
    fc.constantFrom(0, 0, 1, 2, 3, 4, 5),
    fc.nat(),
  )
  .map(([candidates, policy, damage, where]) => {
    const grouped = candidates.map((candidate) => ({
      ...candidate,
      ...(policy !== 'deterministic' && { selection_group: 0 }),
      ...(policy === 'weighted_random' && { traffic_weight: (where % 1000) + 1 }),
    }));
    return damaged(publication({ candidates: grouped, policy }).text, damage, where);
  });

function damaged(text: string, damage: number, where: number): Uint8Array {
  const at = where % text.length;
  const bytes = Buffer.from(text);
  if (damage === 1) return Buffer.from(text.slice(0, at));
  if (damage === 2) return Buffer.from(text.replaceAll('"kind"', '"kin"'));
  if (damage === 3) return Buffer.from(text.replace('"cluster"', '"cluster": "x", "cluster"'));
  if (damage === 4) bytes[where % bytes.length] = 0xff;
  if (damage === 5) return Buffer.from(text.replace(/"name": "/g, '"name": "other-'));
  return bytes;
}

/** The candidates of an overlay, whatever form they are in, with what routing reads of them. */
export function routingCandidates({ candidates }: RoutingOverlay): RoutingCandidate[] {
  return Array.from({ length: candidates.length }, (_, row) => {
    const {
      raw: _raw,
      score: _score,
      credential: _credential,
      ...rest
    } = candidates.at(row) as object & Record<string, unknown>;
    return rest as unknown as RoutingCandidate;
  });
}

/** A valid document of at least this many bytes. */
export function largeDocument(candidateCount: number, salt = 0): { text: string; revision: string } {
  return publication({
    candidates: Array.from({ length: candidateCount }, (_, i) => ({
      kind: 'inference_model',
      name: `model-${Math.floor(i / 3)}`,
      site: `site-${i % 3}`,
      cluster: `provider-${i % 3}`,
      stable_id: `id-${salt}-${i}`,
      rank: i + salt,
      selection_group: 0,
      note: 'n'.repeat(200),
    })),
  });
}
