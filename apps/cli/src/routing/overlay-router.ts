import {
  type Clock,
  createRouter,
  type Random,
  type Router,
  type StaticCandidate,
  sfc32,
  type ViabilityEvent,
} from '@switchyard/ai-route';
import type { Candidate, Overlay } from '@switchyard/overlay-contract';

/** What an overlay's router may be told besides the overlay. */
export interface OverlayRouterInput {
  /** The clusters the gateway has. Default: all. */
  readonly knownClusters?: readonly string[] | undefined;
  /** Source of the random policies. Default: the system's. */
  readonly random?: Random | undefined;
  /** What ejections are measured with. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Told of ejections and recoveries. */
  readonly onViability?: ((event: ViabilityEvent) => void) | undefined;
}

/**
 * A router that serves an overlay already read: the code that gateways run, with nothing to watch. It needs no file, so
 * standard input works too. Its own revision covers what routing needs and nothing else: show the overlay's.
 */
export async function overlayRouter(overlay: Overlay, input: OverlayRouterInput = {}): Promise<Router> {
  return createRouter({
    localSite: overlay.localSite,
    selectionPolicy: overlay.selectionPolicy,
    candidates: overlay.candidates.map(staticCandidate),
    ...(input.knownClusters !== undefined && { knownClusters: input.knownClusters }),
    ...(input.random !== undefined && { random: input.random }),
    ...(input.clock !== undefined && { clock: input.clock }),
    ...(input.onViability !== undefined && { onViability: input.onViability }),
  });
}

/** A repeatable source: same seed, same draws. */
export function seededSource(seed: number): Random {
  // Neighbouring seeds should give unrelated streams: the words are spread by odd constants, the generator warms up.
  return sfc32([seed, Math.imul(seed, 0x9e3779b1), Math.imul(seed ^ 0x5bd1e995, 0x85ebca6b), 1]);
}

/** The largest seed. */
export const SEED_MAX: number = 2 ** 32 - 1;

function staticCandidate(candidate: Candidate): StaticCandidate {
  const { raw: _, score: __, credential: ___, ...routing } = candidate;
  return routing;
}
