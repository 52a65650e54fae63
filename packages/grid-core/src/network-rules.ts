import type { GridNetworkSpec } from './model.ts';

/** A field of a GridNetwork that is valid by itself but that can't be rendered. */
export interface NetworkRuleBreak {
  readonly code: 'not_available' | 'placement_conflict' | 'duplicate_gateway';
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * What a network asks for that would otherwise be published as something else. Used for manifests, where it becomes an
 * issue with file and line, and again by the renderer, whose inventory need not come from files.
 */
export function networkRuleBreaks(spec: GridNetworkSpec): NetworkRuleBreak[] {
  return [...scoring(spec), ...placement(spec), ...duplicateGateways(spec)];
}

function scoring({ scoringPolicy: { strategy } }: GridNetworkSpec): NetworkRuleBreak[] {
  if (strategy === 'noMetrics') return [];
  return [
    {
      code: 'not_available',
      path: ['spec', 'scoringPolicy', 'strategy'],
      message: `scoring by ${strategy} is not available yet; use noMetrics, or leave scoringPolicy out`,
    },
  ];
}

function placement({ selectionPolicy, placementPolicy }: GridNetworkSpec): NetworkRuleBreak[] {
  const mode = selectionPolicy?.mode;
  const weighted = mode === 'weighted_random' || mode === 'weighted_round_robin';
  const path = ['spec', 'placementPolicy'];
  if (weighted && placementPolicy === undefined) {
    const message = `missing: selection policy ${mode} needs placementPolicy {strategy: static}`;
    return [{ code: 'placement_conflict', path, message }];
  }
  if (!weighted && placementPolicy !== undefined) {
    const message = `only a weighted selection policy takes a placementPolicy; this network's is ${mode ?? 'not set'}`;
    return [{ code: 'placement_conflict', path, message }];
  }
  if (placementPolicy?.strategy === 'pressureWeighted') {
    const message = 'placement by pressureWeighted is not available yet; use static';
    return [{ code: 'not_available', path: [...path, 'strategy'], message }];
  }
  return [];
}

function duplicateGateways({ gatewayRefs }: GridNetworkSpec): NetworkRuleBreak[] {
  const first = new Map<string, number>();
  return gatewayRefs.flatMap(({ name, namespace }, index) => {
    const key = JSON.stringify([namespace, name]);
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, index);
      return [];
    }
    const message = `gateway ${namespace}/${name} is already listed at gatewayRefs[${earlier}]; one overlay per gateway`;
    return [{ code: 'duplicate_gateway' as const, path: ['spec', 'gatewayRefs', index], message }];
  });
}
