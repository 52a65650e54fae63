import { type BuildOverlayInput, SELECTION_POLICIES, type WireCandidate } from '@switchyard/overlay-contract';
import fc from 'fast-check';
import { sampleInput } from './sample.ts';

interface Part {
  readonly identity: { readonly kind: WireCandidate['kind']; readonly name: string; readonly letter: string };
  readonly newGroup: boolean;
  readonly admission: number;
  readonly weight: number;
  readonly extra: Partial<WireCandidate>;
}

const identity = fc.record({
  kind: fc.constantFrom('inference_model' as const, 'mcp_tool' as const),
  name: fc.constantFrom('one', 'two'),
  letter: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
});

const extra: fc.Arbitrary<Partial<WireCandidate>> = fc.record(
  {
    fresh: fc.boolean(),
    rank: fc.nat(3),
    score: fc.constantFrom(0, 0.5, 1),
    selection_tier: fc.constantFrom('same_site', 'same_region'),
    x_note: fc.jsonValue({ maxDepth: 2 }),
    ['__proto__']: fc.jsonValue({ maxDepth: 1 }),
    credential: fc.record({
      strategy: fc.constant('bearer_token'),
      secretRef: fc.record({
        name: fc.constantFrom('s', 't'),
        namespace: fc.constant('n'),
        key: fc.constant('k'),
      }),
    }),
  },
  { requiredKeys: [] },
);

const part: fc.Arbitrary<Part> = fc.record({
  identity,
  newGroup: fc.boolean(),
  admission: fc.nat(2),
  weight: fc.integer({ min: 1, max: 4 }),
  extra,
});

/** Valid inputs of a few capabilities over a small vocabulary, so that two of them often share members. */
export const overlayInput: fc.Arbitrary<BuildOverlayInput> = fc
  .record({
    parts: fc.uniqueArray(part, {
      minLength: 1,
      maxLength: 6,
      selector: ({ identity: { kind, name, letter } }) => `${kind} ${name} ${letter}`,
    }),
    selectionPolicy: fc.option(fc.constantFrom(...SELECTION_POLICIES), { nil: undefined }),
    grouped: fc.boolean(),
    dialect: fc.constantFrom('switchyard' as const, 'praxis' as const),
    generation: fc.integer({ min: 1, max: 2 }),
    gateway: fc.constantFrom('consumer', 'other'),
  })
  .map(({ parts, selectionPolicy, grouped, dialect, generation, gateway }) => {
    const base = sampleInput();
    const shares = selectionPolicy !== undefined && selectionPolicy !== 'deterministic';
    return {
      scope: { ...base.scope, gateway },
      provenance: { ...base.provenance, sourceGeneration: generation },
      candidates: candidatesOf(parts, {
        grouped: grouped || shares,
        weighted: selectionPolicy?.startsWith('weighted') === true,
      }),
      dialect,
      ...(selectionPolicy !== undefined && { selectionPolicy }),
    };
  });

/** Numbers the groups per capability as the contract wants them, one admission state each. */
function candidatesOf(
  parts: readonly Part[],
  { grouped, weighted }: { readonly grouped: boolean; readonly weighted: boolean },
): WireCandidate[] {
  const groups = new Map<string, { group: number; admission: number }>();
  return parts.map(({ identity: { kind, name, letter }, newGroup, admission, weight, extra: more }) => {
    const key = `${kind} ${name}`;
    const last = groups.get(key);
    const current =
      last === undefined || newGroup ? { group: last === undefined ? 0 : last.group + 1, admission } : last;
    groups.set(key, current);
    return {
      kind,
      name,
      site: `site-${letter}`,
      cluster: `provider-${letter}`,
      ...more,
      ...(grouped && { selection_group: current.group }),
      ...(weighted && { traffic_weight: weight }),
      ...STATES[current.admission],
    };
  });
}

const STATES: readonly Partial<WireCandidate>[] = [
  {},
  { admission_state: 'existing_only' },
  { admission_state: 'excluded' },
];
