import { overlayDigest } from '@switchyard/overlay-contract';
import fc from 'fast-check';
import { sample } from './overlays.ts';

type Json = Record<string, unknown>;

/** A place in a JSON tree and what happens there. */
interface TreeMutation {
  /** Chosen among all members of the tree, modulo their number. */
  readonly place: number;
  readonly action: 'remove' | 'replace' | 'add' | 'repeat';
  readonly value: unknown;
}

const interesting: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, -0, 1, 1.5, 1001, 1e21, 9007199254740992, '', ' ', 'none', 'x'.repeat(257)),
  fc.constantFrom('1.1.0', '1.0', '2.0.0', 'SHA256', 'random', 'excluded', 'existing_only', 'A'.repeat(64)),
  fc.constantFrom([], {}, { mode: 'roundRobin' }, { mode: 'random', extra: 1 }, '\ud800', 'weighted_random'),
  fc.jsonValue({ maxDepth: 2 }),
);

const treeMutation: fc.Arbitrary<TreeMutation> = fc.record({
  place: fc.nat(),
  action: fc.constantFrom('remove', 'replace', 'add', 'repeat'),
  value: interesting,
});

/** Envelopes with changes in their tree; most get a digest that is right again, so that later checks are reached. */
const treeMutants: fc.Arbitrary<string> = fc
  .record({
    mutations: fc.array(treeMutation, { maxLength: 3 }),
    rehash: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ mutations, rehash }) => {
    const document = JSON.parse(sample().text) as Json;
    for (const mutation of mutations) mutate(document, mutation);
    if (rehash > 0) hashAgain(document);
    return JSON.stringify(document, null, 2);
  });

/** Envelopes with damage in their text: bytes cut, changed or written twice. */
const textMutants: fc.Arbitrary<Uint8Array> = fc
  .record({
    from: fc.nat(),
    length: fc.integer({ min: 0, max: 60 }),
    put: fc.oneof(fc.constant(undefined), fc.uint8Array({ maxLength: 4 }), fc.constantFrom(0x20, 0x0a)),
  })
  .map(({ from, length, put }) => {
    const bytes = Buffer.from(sample().text);
    const start = from % bytes.byteLength;
    const cut = bytes.subarray(start, start + length);
    const middle =
      put === undefined ? Buffer.concat([cut, cut]) : Buffer.from(typeof put === 'number' ? [put] : put);
    return Buffer.concat([bytes.subarray(0, start), middle, bytes.subarray(start + length)]);
  });

/** Changed envelopes of all kinds, the unchanged one among them. */
export const mutants: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 4, arbitrary: treeMutants.map((text) => new Uint8Array(Buffer.from(text))) },
  { weight: 1, arbitrary: textMutants },
);

function mutate(document: Json, { place, action, value: given }: TreeMutation): void {
  // A copy: a constant of the arbitrary put into itself by a later mutation would make a ring.
  const value = structuredClone(given);
  const places = [...members(document)];
  const chosen = places[place % places.length];
  if (chosen === undefined) return;
  const { holder, key } = chosen;
  if (action === 'remove') {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete (holder as Json)[key];
  } else if (action === 'repeat' && Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]));
  else if (action === 'add' && !Array.isArray(holder)) (holder as Json)[`extra_${key}`] = value;
  else (holder as Json)[key] = value;
}

function* members(holder: object): Generator<{ readonly holder: object; readonly key: string }> {
  for (const [key, value] of Object.entries(holder)) {
    yield { holder, key };
    if (typeof value === 'object' && value !== null) yield* members(value as object);
  }
}

function hashAgain(document: Json): void {
  const { overlay, revision, content_digest: digest } = document;
  if (!isObject(overlay) || !isObject(revision) || !isObject(digest)) return;
  try {
    revision['value'] = overlayDigest(overlay);
    digest['value'] = revision['value'];
  } catch {
    // Can't be canonicalised: that is the mutation, then.
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
