import { type Overlay, parseOverlay } from '@switchyard/overlay-contract';
import { type OptionIssue, RouterOptionsError } from '../errors.ts';
import { show } from './option-reader.ts';
import type { StaticCandidate, StaticRouterOptions } from './options.ts';

/** What the options call it, and what the wire does. */
const WIRE_NAMES: Readonly<Record<keyof StaticCandidate, string>> = {
  kind: 'kind',
  name: 'name',
  site: 'site',
  cluster: 'cluster',
  stableId: 'stable_id',
  selectionGroup: 'selection_group',
  admissionState: 'admission_state',
  trafficWeight: 'traffic_weight',
  selectionTier: 'selection_tier',
  rank: 'rank',
  fresh: 'fresh',
};

const OPTION_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(WIRE_NAMES).map(([option, wire]): [string, string] => [wire, option]),
  ['local_site', 'localSite'],
  ['selection_policy', 'selectionPolicy'],
]);

/**
 * Static candidates as an overlay. They go through the contract like a published one, so both modes accept and refuse
 * the same things, and static candidates have a revision too.
 *
 * @throws {@link RouterOptionsError} when the contract refuses them.
 */
export function staticOverlay(options: StaticRouterOptions): Overlay {
  const issues = notJson(options.candidates);
  if (issues.length > 0) throw new RouterOptionsError(issues);
  const document = {
    local_site: options.localSite,
    candidates: options.candidates.map(toWire),
    ...(options.selectionPolicy !== undefined && { selection_policy: options.selectionPolicy }),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  // These candidates are in memory already: the limits that guard against foreign documents have nothing to guard.
  const maxCandidates = Math.max(1, options.candidates.length);
  const parsed = parseOverlay(bytes, { maxBytes: bytes.length, maxCandidates });
  if (parsed.ok) return parsed.overlay;
  throw new RouterOptionsError(
    parsed.issues.map(({ path, message }) => ({ path: toOptionPath(path), message })),
  );
}

function toWire(candidate: StaticCandidate): Record<string, unknown> {
  const fields = Object.entries(candidate).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([key, value]) => [WIRE_NAMES[key as keyof StaticCandidate], value]));
}

/** What the contract could not tell apart, or would not see as it is, once it is JSON. */
function notJson(candidates: readonly unknown[]): OptionIssue[] {
  return candidates.flatMap((candidate, index): OptionIssue[] => {
    const path = `candidates[${index}]`;
    if (typeof candidate !== 'object' || candidate === null)
      return [{ path, message: `must be an object, found ${show(candidate)}` }];
    return Object.entries(candidate).flatMap(([key, value]: [string, unknown]) => {
      const message = wrongWith(key, value);
      return message === undefined ? [] : [{ path: `${path}.${key}`, message }];
    });
  });
}

function wrongWith(key: string, value: unknown): string | undefined {
  if (!Object.hasOwn(WIRE_NAMES, key)) {
    return `is not an option; known are ${Object.keys(WIRE_NAMES).join(', ')}`;
  }
  const plain = value === undefined || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
  return plain ? undefined : `must be a text, a finite number, true or false, found ${show(value)}`;
}

function toOptionPath(path: string): string {
  const names = path.split('.').map((name) => OPTION_NAMES.get(name) ?? name);
  return names.join('.') || 'candidates';
}
