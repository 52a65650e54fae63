import type { OverlayChange } from './changes.ts';
import { sameValue } from './diff-member.ts';
import { isObject, type LoadedOverlay } from './load-overlay.ts';

type Json = Readonly<Record<string, unknown>>;

/** Members that the digest covers; the candidates are compared one by one elsewhere. */
const HASHED = ['candidates', 'local_site', 'network', 'selection_policy'];

/** Differences in what concerns the whole document: policy, network and site first, then scope, then the rest. */
export function diffDocument(before: LoadedOverlay, after: LoadedOverlay): OverlayChange[] {
  return [...diffPolicy(before, after), ...diffPlace(before, after), ...diffEnvelope(before, after)];
}

function diffPolicy(before: LoadedOverlay, after: LoadedOverlay): OverlayChange[] {
  const [old, young] = [before.overlay.selectionPolicy, after.overlay.selectionPolicy];
  if (old !== young) return [change('policy', 'routing', { before: old, after: young })];
  const [wasWritten, isWritten] = [
    own(before.payload, 'selection_policy'),
    own(after.payload, 'selection_policy'),
  ];
  if (sameValue(wasWritten, isWritten)) return [];
  return [change('policy', 'spelling', { before: wasWritten, after: isWritten })];
}

function diffPlace({ payload: before }: LoadedOverlay, { payload: after }: LoadedOverlay): OverlayChange[] {
  return (['network', 'local_site'] as const).flatMap((type) => {
    const [old, young] = [own(before, type), own(after, type)];
    return sameValue(old, young) ? [] : [change(type, 'scope', { before: old, after: young })];
  });
}

/** What the digest leaves out. Between an envelope and a bare overlay everything would differ: one change says so. */
function diffEnvelope(before: LoadedOverlay, after: LoadedOverlay): OverlayChange[] {
  const [old, young] = [before.overlay.format, after.overlay.format];
  if (old !== young) return [change('format', 'scope', { before: old, after: young })];
  const [wasRest, isRest] = [unhashed(before), unhashed(after)];
  return [...new Set([...wasRest.keys(), ...isRest.keys()])].flatMap((field) => {
    const values = { field, before: wasRest.get(field), after: isRest.get(field) };
    if (sameValue(values.before, values.after)) return [];
    return [
      field.startsWith('scope.') ? change('scope', 'scope', values) : change('metadata', 'metadata', values),
    ];
  });
}

/** Everything outside the digest by name, one level deep; the digests themselves follow from the rest. */
function unhashed({ root, payload }: LoadedOverlay): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const inPayload = payload === root ? '' : 'overlay.';
  for (const [name, value] of Object.entries(payload)) {
    if (!HASHED.includes(name)) found.set(inPayload + name, value);
  }
  if (payload === root) return found;
  for (const [part, content] of Object.entries(root)) {
    if (part === 'overlay') continue;
    if (!isObject(content)) found.set(part, content);
    else for (const [name, value] of Object.entries(content)) found.set(`${part}.${name}`, value);
  }
  found.delete('revision.value');
  found.delete('content_digest.value');
  return found;
}

function change(
  type: OverlayChange['type'],
  effect: OverlayChange['effect'],
  { field = null, before = null, after = null }: { field?: string | null; before?: unknown; after?: unknown },
): OverlayChange {
  return { type, effect, capability: null, member: null, field, before, after };
}

function own(object: Json, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
