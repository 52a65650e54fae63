import type { AffinityPolicy } from '../affinity/create-affinity.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type OptionIssue, RouterOptionsError } from '../errors.ts';
import type { ViabilityEvent } from '../health/viability-event.ts';
import type { ViabilityPolicy } from '../health/viability-policy.ts';
import type { StartMode } from '../pickers/start-offset.ts';
import { type Random, systemRandom } from '../random.ts';
import type { RetryPolicy } from '../retry/retry-policy.ts';
import type { KnownClusters } from '../snapshot/viability.ts';
import { OptionReader, show } from './option-reader.ts';
import type { OverlayRouterOptions, RouterOptions, StaticRouterOptions } from './options.ts';
import { type ResolvedState, resolveAffinity, resolveState } from './resolve-affinity.ts';
import { type ResolvedOverlay, resolveOverlay } from './resolve-overlay.ts';
import { resolveRetry, resolveViability } from './resolve-traffic.ts';

/** Options of both modes with every default filled in. */
export interface ResolvedCommon {
  readonly known: KnownClusters;
  readonly affinity: AffinityPolicy | undefined;
  readonly start: StartMode;
  readonly clock: Clock;
  readonly random: Random;
  readonly retry: RetryPolicy;
  readonly viability: ViabilityPolicy;
  readonly onViability: (event: ViabilityEvent) => void;
  readonly state: ResolvedState;
}

/** Where candidates come from. */
type ResolvedSource = { readonly mode: 'static'; readonly options: StaticRouterOptions } | ResolvedOverlay;

/** Everything a router is built from. */
export interface ResolvedOptions {
  readonly common: ResolvedCommon;
  readonly source: ResolvedSource;
}

const COMMON_KEYS = [
  'knownClusters',
  'affinity',
  'start',
  'clock',
  'random',
  'retry',
  'viability',
  'onViability',
  'state',
];
const STATIC_KEYS = [...COMMON_KEYS, 'candidates', 'localSite', 'selectionPolicy'];
const OVERLAY_KEYS = [...COMMON_KEYS, 'overlayFile', 'expectedScope', 'reload', 'limits', 'onEvent'];

/**
 * Checks the options and fills in defaults. Nothing is repaired quietly: `0` is a value, an unknown key a mistake.
 *
 * @throws {@link RouterOptionsError} with everything that is wrong.
 */
export function resolveOptions(options: RouterOptions): ResolvedOptions {
  const issues: OptionIssue[] = [];
  if (typeof options !== 'object' || options === null) {
    issues.push({ path: 'options', message: `must be an object, found ${show(options)}` });
    throw new RouterOptionsError(issues);
  }
  const reader = new OptionReader(options, '', issues);
  const isOverlay = reader.has('overlayFile');
  if (isOverlay === reader.has('candidates')) {
    const found = isOverlay ? 'both are given' : 'neither is given';
    issues.push({
      path: 'overlayFile',
      message: `exactly one of overlayFile and candidates is needed; ${found}`,
    });
    throw new RouterOptionsError(issues);
  }
  reader.only(isOverlay ? OVERLAY_KEYS : STATIC_KEYS, `with ${isOverlay ? 'overlayFile' : 'candidates'}`);
  const common = resolveCommon(reader, options);
  const source = isOverlay
    ? resolveOverlay(reader, options as OverlayRouterOptions)
    : resolveStatic(reader, options as StaticRouterOptions);
  if (issues.length > 0) throw new RouterOptionsError(issues);
  return { common, source };
}

function resolveCommon(reader: OptionReader, options: RouterOptions): ResolvedCommon {
  const { clock = systemClock, random = systemRandom(), onViability = () => undefined } = options;
  if (typeof onViability !== 'function') reader.report('onViability', 'must be a function');
  if (typeof random !== 'function')
    reader.report('random', 'must be a function that returns 32-bit integers');
  if (typeof clock?.monotonicMs !== 'function' || typeof clock.now !== 'function') {
    reader.report('clock', 'must have the functions monotonicMs and now');
  }
  return {
    known: options.knownClusters === undefined ? undefined : new Set(reader.strings('knownClusters')),
    affinity: resolveAffinity(reader),
    start: resolveStart(reader),
    clock,
    random,
    retry: resolveRetry(reader),
    viability: resolveViability(reader),
    onViability,
    state: resolveState(reader),
  };
}

function resolveStart(reader: OptionReader): StartMode {
  const start = reader.section('start', ['mode', 'instanceId']);
  if (start.choice('mode', ['first', 'hashed'], 'first') === 'first') {
    if (start.has('instanceId')) start.report('instanceId', 'is given, but only mode "hashed" uses it');
    return { mode: 'first' };
  }
  return { mode: 'hashed', instanceId: start.text('instanceId') };
}

function resolveStatic(reader: OptionReader, options: StaticRouterOptions): ResolvedSource {
  if (!Array.isArray(options.candidates)) reader.report('candidates', 'must be an array');
  reader.text('localSite');
  return { mode: 'static', options };
}
