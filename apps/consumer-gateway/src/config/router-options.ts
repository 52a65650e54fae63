import {
  type AffinityOptions,
  type OverlayLimits,
  type OverlayRouterOptions,
  type ReloadOptions,
  type RouterOptions,
  type StaticRouterOptions,
  sfc32,
} from '@switchyard/ai-route';
import type { AffinityConfig } from './affinity.ts';
import type { GatewayConfig } from './config.ts';
import { readKeyFile } from './key-file.ts';
import type { OverlayLimitsConfig, ReloadConfig } from './reload.ts';

/** What the router needs besides the configuration. */
export interface RouterWiring {
  /** Resolves a path of the configuration. */
  resolvePath(path: string): string;
  readonly onEvent: NonNullable<OverlayRouterOptions['onEvent']>;
  readonly onViability: NonNullable<OverlayRouterOptions['onViability']>;
}

/**
 * The router's options out of the gateway's configuration.
 * @throws RouterOptionsError when the key file cannot be used.
 */
export function routerOptions(config: GatewayConfig, wiring: RouterWiring): RouterOptions {
  const { routing } = config;
  const { attempts, withinMs, budget } = routing.retry;
  const seed = routing.randomSeed ?? null;
  const common = {
    knownClusters: config.clusters.map((cluster) => cluster.name),
    affinity: affinityOptions(routing.affinity, wiring),
    retry: { attempts, withinMs, budget },
    viability: routing.viability,
    start: routing.start,
    onViability: wiring.onViability,
    ...(seed === null ? {} : { random: sfc32([seed, 0, 0, 1]) }),
  };
  if (routing.overlayFile === undefined) {
    const { candidates = [], localSite = '', selectionPolicy } = routing;
    const options: StaticRouterOptions = {
      ...common,
      candidates: [...candidates],
      localSite,
      ...(selectionPolicy === undefined ? {} : { selectionPolicy }),
    };
    return options;
  }
  return {
    ...common,
    overlayFile: wiring.resolvePath(routing.overlayFile),
    onEvent: wiring.onEvent,
    ...(routing.expectedScope === undefined ? {} : { expectedScope: routing.expectedScope }),
    ...(routing.reload === undefined ? {} : { reload: reloadOptions(routing.reload, wiring) }),
    ...(routing.overlayLimits === undefined ? {} : { limits: limitsOf(routing.overlayLimits) }),
  };
}

function affinityOptions(affinity: AffinityConfig, { resolvePath }: RouterWiring): AffinityOptions {
  const { enabled, mode, onReturn, ttlSeconds, capacity, keyFile } = affinity;
  return {
    enabled,
    mode,
    ttlSeconds,
    capacity,
    ...(mode !== 'rendezvous' && { onReturn }),
    ...(enabled && keyFile !== undefined && { keys: readKeyFile(resolvePath(keyFile)) }),
  };
}

function reloadOptions(reload: ReloadConfig, { resolvePath }: RouterWiring): ReloadOptions {
  const { lastGoodFile } = reload;
  return lastGoodFile === undefined ? reload : { ...reload, lastGoodFile: resolvePath(lastGoodFile) };
}

function limitsOf({ bytes, candidates }: OverlayLimitsConfig): OverlayLimits {
  return { maxBytes: bytes, maxCandidates: candidates };
}
