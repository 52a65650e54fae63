import fc from 'fast-check';
import { overlayDigest, type ParseOverlayOptions } from '../../src/index.ts';

/** A document as text, and the options to read it with. */
export interface RandomDocument {
  readonly text: string;
  readonly options: ParseOverlayOptions;
}

// What JSON.stringify cannot write is put in its place afterwards.
const LATER: readonly (readonly [string, string])[] = [
  ['"@huge"', '1e400'],
  ['"@minus-zero"', '-0'],
  ['@lone', '\\udead'],
  ['"@again"', '"name"'],
  ['"@deep"', `${'['.repeat(28)}${']'.repeat(28)}`],
  ['"@deeper"', `${'['.repeat(40)}${']'.repeat(40)}`],
];

/** Rarely, any JSON at all; mostly what the contract wants. */
function mostly<T>(arbitrary: fc.Arbitrary<T>, weight = 500): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight, arbitrary },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', '@huge', '@lone', -1, 1.5, 2 ** 53, null, [], {}) },
  );
}

const name = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom('a', 'b', 'ab', 'a b', '1', '1 1', 'ü', '😀', '__proto__') },
  { weight: 20, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(256), 'ü'.repeat(129), '\u3000') },
);

const extraName = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'toJSON', '10', '9', '', '😀', '\ufb33', 'x-zone'),
  },
  { weight: 1, arbitrary: fc.constantFrom('@again', '@lone') },
  { weight: 4, arbitrary: fc.string({ maxLength: 4 }) },
);
const extraValue = fc.oneof(
  { weight: 12, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 6, arbitrary: fc.constantFrom('@minus-zero', 1e21, 1e-7, 2 ** 60, 'a/b', '@deep') },
  { weight: 1, arbitrary: fc.constantFrom('@huge', '@lone', '@deeper') },
);
/** Additive members for any level; usually none. */
const extras = fc.oneof(
  { weight: 12, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(fc.tuple(extraName, extraValue), { minLength: 1, maxLength: 3 }) },
);

function object(
  members: Record<string, fc.Arbitrary<unknown>>,
  requiredKeys?: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  const known = fc.record(members, { requiredKeys: [...(requiredKeys ?? Object.keys(members))] });
  return fc
    .tuple(known, extras)
    .map(([some, more]) => Object.fromEntries([...more, ...Object.entries(some)]));
}

const candidateMembers = {
  kind: mostly(fc.constantFrom('inference_model', 'mcp_tool')),
  name: mostly(name),
  site: mostly(name),
  cluster: mostly(name),
  fresh: mostly(fc.boolean()),
  stable_id: mostly(fc.constantFrom(...Array.from({ length: 40 }, String), 'inference_model/a/a/a')),
  rank: mostly(fc.nat()),
  score: mostly(fc.double({ noNaN: true, noDefaultInfinity: true })),
  score_breakdown: mostly(fc.dictionary(fc.string({ maxLength: 3 }), fc.double({ noNaN: true }))),
  admission_state: mostly(
    fc.constantFrom(...Array<string>(9).fill('new_and_existing'), 'existing_only', 'excluded', 'none'),
  ),
  selection_tier: mostly(
    fc.constantFrom(...Array<string>(20).fill('same_zone'), 'x'.repeat(128), 'x'.repeat(129)),
  ),
  credential: mostly(
    object(
      {
        strategy: mostly(fc.constant('bearer_token')),
        secretRef: mostly(object({ name: mostly(name), namespace: mostly(name), key: mostly(name) })),
      },
      ['strategy', 'secretRef'],
    ),
  ),
};

/** Groups and weights go together with the policy, else next to nothing would be accepted. */
const selection = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      { policy: undefined, candidate: {} },
      { policy: 'deterministic', candidate: {} },
      { policy: 'round_robin', candidate: { selection_group: 0 } },
      { policy: { mode: 'weightedRandom' }, candidate: { selection_group: 0, traffic_weight: 7 } },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { policy: { mode: 'random', extra: 1 }, candidate: { selection_group: 0 } },
      { policy: null, candidate: { selection_group: 0 } },
      { policy: undefined, candidate: { selection_group: 1, traffic_weight: 1001 } },
    ),
  },
);

const payload = fc
  .tuple(
    object(
      {
        network: mostly(fc.constant('net')),
        local_site: mostly(fc.constant('here')),
        generated_at: mostly(fc.constant('now')),
        candidates: mostly(
          fc.array(object(candidateMembers, ['kind', 'name', 'site', 'cluster']), {
            minLength: 1,
            maxLength: 4,
          }),
        ),
      },
      ['network', 'local_site', 'candidates'],
    ),
    selection,
  )
  .map(([known, { policy, candidate }]) => {
    const { candidates } = known;
    if (Array.isArray(candidates)) {
      known['candidates'] = candidates.map((each: unknown) =>
        typeof each === 'object' && each !== null ? { ...each, ...candidate } : each,
      );
    }
    return policy === undefined ? known : { ...known, selection_policy: policy };
  });

const digestObject = object({
  algorithm: mostly(fc.constant('sha256')),
  value: mostly(fc.constant('@digest')),
});

const envelope = object({
  schema_version: mostly(fc.constantFrom(...Array<string>(20).fill('1.0.0'), '2.0.0')),
  revision: mostly(
    fc
      .tuple(digestObject, mostly(fc.constant('content_addressed')))
      .map(([rest, kind]) => ({ ...rest, kind })),
  ),
  content_digest: mostly(digestObject),
  scope: mostly(
    object({
      network: mostly(fc.constant('net')),
      gateway: mostly(name),
      namespace: mostly(name),
      local_site: mostly(fc.constant('here')),
    }),
  ),
  provenance: mostly(
    object({
      producer: mostly(name),
      producer_version: mostly(name),
      source_name: mostly(fc.constant('net')),
      source_uid: mostly(name),
      source_generation: mostly(fc.integer({ min: 1 })),
      rendered_at: mostly(fc.constantFrom('2026-01-01T00:00:00Z', '2024-02-29T23:59:60+01:00')),
    }),
  ),
  overlay: mostly(payload),
});

const options: fc.Arbitrary<ParseOverlayOptions> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<ParseOverlayOptions[]>(
      { maxCandidates: 1 },
      { maxDepth: 4 },
      { expectedScope: {} },
      { expectedScope: { network: 'net' } },
      { expectedScope: { localSite: 'there' } },
    ),
  },
);

function spell(value: unknown, space: number): string {
  let text = JSON.stringify(value, null, space);
  for (const [from, to] of LATER) text = text.replaceAll(from, to);
  return text;
}

/** What the payload, as it will be read, hashes to; anything when it does not. */
function digestOf(overlay: unknown): string {
  try {
    const read: unknown = JSON.parse(spell(overlay, 0));
    return overlayDigest(read as Record<string, unknown>);
  } catch {
    return '0'.repeat(64);
  }
}

/** Documents that are mostly right, in every way the contract lets them differ, and wrong in any way it forbids. */
export const randomDocument: fc.Arbitrary<RandomDocument> = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: envelope }, { weight: 1, arbitrary: payload }),
    options,
    fc.constantFrom(0, 2),
  )
  .map(([root, how, space]) => ({
    text: spell(root, space).replaceAll('@digest', digestOf(root['overlay'])),
    options: how,
  }));
