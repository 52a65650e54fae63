import type { AffinityPolicy } from '../affinity/create-affinity.ts';
import type { OptionReader } from './option-reader.ts';

/** Memory of states with every default filled in. */
export interface ResolvedState {
  readonly capacity: number;
  readonly ttlMs: number;
}

const AFFINITY_KEYS = ['enabled', 'mode', 'onReturn', 'ttlSeconds', 'capacity', 'keys'];
const CAPACITY = { min: 1, max: 10_000_000, fallback: 100_000 };
/** As long as the signature: a shorter key would be the easier thing to guess. */
const KEY_BYTES_MIN = 32;

/** How sessions are kept; undefined when they aren't. */
export function resolveAffinity(reader: OptionReader): AffinityPolicy | undefined {
  const affinity = reader.section('affinity', AFFINITY_KEYS);
  const ttlSeconds = affinity.integer('ttlSeconds', { min: 1, max: 86_400, fallback: 3600 });
  const capacity = affinity.integer('capacity', CAPACITY);
  const mode = affinity.choice('mode', ['table', 'rendezvous', 'cookie'], 'table');
  const onReturn = affinity.choice('onReturn', ['stay', 'failBack'], 'stay');
  const keys = resolveKeys(affinity, mode === 'cookie');
  if (mode === 'rendezvous' && affinity.has('onReturn'))
    affinity.report('onReturn', 'is given, but a session of mode "rendezvous" always returns');
  const enabled = affinity.boolean('enabled', false);
  return enabled ? { mode, onReturn, ttlMs: ttlSeconds * 1000, capacity, keys } : undefined;
}

function resolveKeys(affinity: OptionReader, needed: boolean): readonly Uint8Array[] {
  const keys = affinity.list('keys');
  const usable = keys.filter(
    (key) => key instanceof Uint8Array && key.length >= KEY_BYTES_MIN,
  ) as Uint8Array[];
  // The keys themselves are never shown.
  if (usable.length < keys.length)
    affinity.report('keys', `must each be a Uint8Array of ${KEY_BYTES_MIN} bytes or more`);
  if (needed && keys.length === 0) affinity.report('keys', 'must have at least one key with mode "cookie"');
  if (!needed && keys.length > 0) affinity.report('keys', 'is given, but only mode "cookie" uses it');
  return usable;
}

/** How long holders of states are remembered, and how many. */
export function resolveState(reader: OptionReader): ResolvedState {
  const state = reader.section('state', ['capacity', 'ttlSeconds']);
  return {
    capacity: state.integer('capacity', CAPACITY),
    ttlMs: state.integer('ttlSeconds', { min: 1, max: 31_536_000, fallback: 86_400 }) * 1000,
  };
}
