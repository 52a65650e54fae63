import type { StartMode, StaticCandidate } from '@switchyard/ai-route';
import {
  ADMISSION_STATES,
  CANDIDATE_KINDS,
  type OverlayScope,
  SELECTION_POLICIES,
  type SelectionPolicy,
} from '@switchyard/overlay-contract';
import { z } from 'zod';
import { type AffinityConfig, affinitySchema } from './affinity.ts';
import { type RetryConfig, retrySchema, type ViabilityConfig, viabilitySchema } from './failures.ts';
import { headerName } from './header-name.ts';
import { type OverlayLimitsConfig, overlayLimitsSchema, type ReloadConfig, reloadSchema } from './reload.ts';

const identifier = z.string().min(1).max(256);
const candidateSchema = z.strictObject({
  kind: z.enum(CANDIDATE_KINDS).default('inference_model'),
  name: identifier,
  site: identifier,
  cluster: identifier,
  stableId: identifier.exactOptional(),
  rank: z.int().exactOptional(),
  fresh: z.boolean().exactOptional(),
  admissionState: z.enum(ADMISSION_STATES).exactOptional(),
  selectionTier: identifier.exactOptional(),
  selectionGroup: z.int().min(0).exactOptional(),
  trafficWeight: z.int().min(1).max(1000).exactOptional(),
});

const scopeSchema = z.strictObject({
  network: identifier.exactOptional(),
  gateway: identifier.exactOptional(),
  namespace: identifier.exactOptional(),
  localSite: identifier.exactOptional(),
});

/** Where rotations begin, and what tells this gateway from its like. */
const startSchema: z.ZodType<StartMode> = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('first') }),
  z.strictObject({ mode: z.literal('hashed'), instanceId: identifier }),
]);

/** Where candidates come from and how one is chosen. */
export const routingSchema: z.ZodType<RoutingConfig> = z
  .strictObject({
    overlayFile: z.string().min(1).exactOptional(),
    expectedScope: scopeSchema.exactOptional(),
    reload: reloadSchema.exactOptional(),
    overlayLimits: overlayLimitsSchema.exactOptional(),
    candidates: z.array(candidateSchema).min(1).exactOptional(),
    localSite: identifier.exactOptional(),
    selectionPolicy: z.enum(SELECTION_POLICIES).exactOptional(),
    affinity: affinitySchema.prefault({}),
    retry: retrySchema.prefault({}),
    viability: viabilitySchema.prefault({}),
    start: startSchema.default({ mode: 'first' }),
    modelHeader: z.union([headerName, z.literal(false)]).default('x-model'),
    randomSeed: z.int().min(0).max(4_294_967_295).nullable().optional(),
  })
  .superRefine((routing, context) => {
    for (const { path, message } of modeIssues(routing))
      context.addIssue({ code: 'custom', path: path === undefined ? [] : [path], message });
  });

/** The `routing` block after validation, with defaults applied. */
export interface RoutingConfig {
  /** The accepted overlay's file; excludes `candidates`. */
  readonly overlayFile?: string;
  /** What the overlay's scope must say. Only with `overlayFile`. */
  readonly expectedScope?: Partial<OverlayScope>;
  /** How the overlay file is followed. Only with `overlayFile`. */
  readonly reload?: ReloadConfig;
  /** What an overlay may cost. Only with `overlayFile`. */
  readonly overlayLimits?: OverlayLimitsConfig;
  /** Inline candidates; excludes `overlayFile`. */
  readonly candidates?: readonly StaticCandidate[];
  /** The site this gateway stands in. Needed with `candidates`. */
  readonly localSite?: string;
  /** How a member of the active group is chosen. Only with `candidates`; an overlay brings its own. */
  readonly selectionPolicy?: SelectionPolicy;
  readonly affinity: AffinityConfig;
  readonly retry: RetryConfig;
  readonly viability: ViabilityConfig;
  /** Where rotations begin. Default `first`; a fleet wants `hashed`, with an id of its own for each gateway. */
  readonly start: StartMode;
  /** Lower-case name of the header that may name the model, or false for none. Default `x-model`. */
  readonly modelHeader: string | false;
  /**
   * Seed of the random policies, 0 to 4294967295: the same draws after every start, for demos and tests. Default null:
   * seeded by the system, so that a fleet does not draw in step.
   */
  readonly randomSeed?: number | null | undefined;
}

type Mode = Pick<
  RoutingConfig,
  | 'overlayFile'
  | 'candidates'
  | 'localSite'
  | 'expectedScope'
  | 'reload'
  | 'overlayLimits'
  | 'selectionPolicy'
>;

/** Exactly one source of candidates, and no option that the chosen source would ignore. */
function modeIssues(routing: Mode): { path?: string; message: string }[] {
  const { overlayFile, candidates } = routing;
  if (overlayFile === undefined && candidates === undefined)
    return [{ message: 'give either "overlayFile" or "candidates" with "localSite"' }];
  if (overlayFile !== undefined && candidates !== undefined)
    return [{ path: 'candidates', message: '"overlayFile" and "candidates" exclude each other; keep one' }];
  if (overlayFile !== undefined) {
    const misplaced = (['localSite', 'selectionPolicy'] as const).filter((key) => routing[key] !== undefined);
    return misplaced.map((path) => ({
      path,
      message: `"${path}" belongs to "candidates"; with "overlayFile" the overlay says it`,
    }));
  }
  const misplaced = (['expectedScope', 'reload', 'overlayLimits'] as const).filter(
    (key) => routing[key] !== undefined,
  );
  const issues: { path: string; message: string }[] = misplaced.map((path) => ({
    path,
    message: `"${path}" belongs to "overlayFile"; inline candidates are never reloaded`,
  }));
  if (routing.localSite === undefined)
    issues.push({ path: 'localSite', message: '"candidates" needs "localSite" beside it' });
  return issues;
}
