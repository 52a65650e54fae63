import type { SelectionPolicy } from '@switchyard/overlay-contract';
import { z } from 'zod';
import type { AdmissionPolicy, GatewayRef, GridNetworkSpec, PlacementPolicy } from '../model.ts';
import { duration, identifier, opaque, wholeSeconds } from './field-schemas.ts';

/** Both spellings of the selection policy: Praxis' camelCase and the words of the overlay. */
const SELECTION_MODES: ReadonlyMap<string, SelectionPolicy> = new Map<string, SelectionPolicy>([
  ['deterministic', 'deterministic'],
  ['roundRobin', 'round_robin'],
  ['random', 'random'],
  ['weightedRandom', 'weighted_random'],
  ['weightedRoundRobin', 'weighted_round_robin'],
  ['round_robin', 'round_robin'],
  ['weighted_random', 'weighted_random'],
  ['weighted_round_robin', 'weighted_round_robin'],
]);

const selectionMode = z
  .enum([...SELECTION_MODES.keys()])
  .transform((mode): SelectionPolicy => SELECTION_MODES.get(mode) ?? 'deterministic');

const gatewayRef: z.ZodType<GatewayRef> = z.strictObject({
  name: identifier,
  namespace: identifier,
  localSiteName: identifier.exactOptional(),
  consumerConfig: opaque.exactOptional(),
});

const placementPolicy: z.ZodType<PlacementPolicy> = z.strictObject({
  strategy: z.enum(['static', 'pressureWeighted']),
  signal: z.string().exactOptional(),
  smoothingFactor: z.number().exactOptional(),
  staleSignalSeconds: z.int().min(1).exactOptional(),
});

const threshold = z.number().min(0).max(1);
const count = z.int().min(1).max(100);

const pressure = z
  .strictObject({
    enterThreshold: threshold,
    exitThreshold: threshold,
    failureThreshold: count,
    successThreshold: count,
    minimumStateDuration: wholeSeconds,
    recoveryHoldDown: wholeSeconds,
  })
  .refine((value) => value.exitThreshold < value.enterThreshold, {
    path: ['exitThreshold'],
    error: 'must be lower than enterThreshold',
  });

const admissionPolicy: z.ZodType<AdmissionPolicy> = z.strictObject({
  mode: z.enum(['instantaneous', 'stabilized']).exactOptional(),
  missingMetrics: z.enum(['existingOnly', 'excluded']).exactOptional(),
  pressure: pressure.exactOptional(),
});

const swim = z.strictObject({
  gossipNodes: z.int().min(1).exactOptional(),
  probeInterval: duration.exactOptional(),
  suspicionTimeout: duration.exactOptional(),
});

const budgetPolicy = z.strictObject({
  tenants: z.array(z.strictObject({ tenantId: identifier, capUsd: z.number().min(0) })).exactOptional(),
});

const metricsRefreshInterval = z.string().regex(/^([1-9][0-9]{0,8}s|[1-9][0-9]{3,8}ms)$/, {
  error: 'expected a duration of at least one second, such as 30s or 1500ms',
});

/** `spec` of a GridNetwork, with defaults filled in. */
export const networkSpec: z.ZodType<GridNetworkSpec> = z.strictObject({
  gatewayRefs: z.array(gatewayRef).default([]),
  routingPolicy: z.enum(['geographyFirst', 'scoreFirst']).default('geographyFirst'),
  scoringPolicy: z
    .strictObject({ strategy: z.enum(['noMetrics', 'queueDepth', 'kvCachePressure']) })
    .default({ strategy: 'noMetrics' }),
  selectionPolicy: z.strictObject({ mode: selectionMode }).exactOptional(),
  placementPolicy: placementPolicy.exactOptional(),
  overlayDialect: z.enum(['switchyard', 'praxis']).default('switchyard'),
  admissionPolicy: admissionPolicy.exactOptional(),
  // Upstream's default for a grid id is the empty text: it is filled in when a grid is joined.
  gridId: z.string().exactOptional(),
  region: identifier.exactOptional(),
  zone: identifier.exactOptional(),
  seeds: z.array(z.unknown()).exactOptional(),
  swim: swim.exactOptional(),
  tls: opaque.exactOptional(),
  signalTransport: opaque.exactOptional(),
  budgetPolicy: budgetPolicy.exactOptional(),
  metricsRefreshInterval: metricsRefreshInterval.exactOptional(),
  staleCandidateTtlSeconds: z.int().min(1).exactOptional(),
});
