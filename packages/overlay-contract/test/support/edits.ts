import fc from 'fast-check';

const candidate = {
  kind: 'mcp_tool',
  name: 'tinker',
  site: 'harbor',
  cluster: 'pool',
  fresh: true,
  stable_id: '5eed',
  rank: 3,
  score: 0.5,
  score_breakdown: { queue: 0.5 },
  admission_state: 'existing_only',
  selection_tier: 'same_zone',
  selection_group: 0,
  traffic_weight: 7,
  credential: { strategy: 'bearer_token', secretRef: { name: 'n', namespace: 'm', key: 'k' } },
};
const digest = { algorithm: 'sha256', value: '0'.repeat(64) };
const payload = { network: 'atlas', local_site: 'harbor', candidates: [candidate], generated_at: 'now' };

/** Every member the structure stage knows, once; its digest is nobody's. */
const WHOLE = {
  schema_version: '1.0.0',
  revision: { kind: 'content_addressed', ...digest },
  content_digest: digest,
  scope: { network: 'atlas', gateway: 'front-door', namespace: 'edge', local_site: 'harbor' },
  provenance: {
    producer: 'unit-test',
    producer_version: '3.1.4',
    source_name: 'atlas',
    source_uid: 'b7c1',
    source_generation: 12,
    rendered_at: '2026-03-01T08:30:00Z',
  },
  overlay: payload,
};

type Path = readonly string[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...at, key]))];
}

/** Where the last step of a path is taken: undefined at the top. */
function holderOf(root: unknown, path: Path): Record<string, unknown> | undefined {
  let holder = root as Record<string, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  return path.length === 0 ? undefined : holder;
}

type Edit = (holder: Record<string, unknown>, key: string) => void;

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom('', ' ', 'x'.repeat(257), 0, -1, 1.5, 1001, 2 ** 32, 2 ** 53, null, [], {}, true),
      fc.constantFrom('none', 'bearer', '\n', 'ü'.repeat(64), '2026-02-30T00:00:00Z', 'A'.repeat(64)),
    )
    .map(
      (value): Edit =>
        (holder, key) => {
          holder[key] = value;
        },
    ),
  fc.constant<Edit>((holder, key) => {
    delete holder[key];
  }),
  fc.constant<Edit>((holder) => {
    holder['extra'] = 1;
  }),
);

/** An envelope or bare payload with every known member, in which one member was replaced, removed or given company. */
export const editedDocument: fc.Arbitrary<Record<string, unknown>> = fc
  .constantFrom<Record<string, unknown>[]>(WHOLE, payload)
  .chain((whole) =>
    fc.tuple(fc.constantFrom(...pathsOf(whole)), edit).map(([path, change]) => {
      const root = structuredClone(whole);
      const holder = holderOf(root, path);
      if (holder !== undefined) change(holder, path.at(-1) ?? '');
      return root;
    }),
  );
