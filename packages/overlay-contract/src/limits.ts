import type { OverlayScope } from './model.ts';

/** Default size limit, in bytes: twice what a Kubernetes ConfigMap holds: room for other carriers, and still a few milliseconds to parse. */
export const OVERLAY_BYTES_MAX = 2_097_152;
/** Default limit of candidates: more than any gateway has clusters for. */
export const CANDIDATES_MAX = 1024;
/** The contract itself needs 6 levels; a reader in another language may stop at 128. */
const JSON_DEPTH_MAX = 32;
/** Longest identifier (network, site, name, cluster, stable id ...), in UTF-8 bytes. */
export const IDENTIFIER_BYTES_MAX = 256;
/** Longest selection tier, in UTF-8 bytes. */
export const TIER_BYTES_MAX = 128;
/** A hostile document must not turn into an unbounded report. */
export const ISSUES_MAX = 1000;
/** Largest unsigned 32-bit integer: bound of ranks and group numbers. */
export const UINT32_MAX = 4_294_967_295;
/** Largest traffic weight. */
export const TRAFFIC_WEIGHT_MAX = 1000;

/** Options of {@link parseOverlay}. */
export interface ParseOverlayOptions {
  /**
   * Whom the overlay must be for. Only the members given are compared.
   * Its mere presence, even empty, refuses the legacy form, which carries no scope.
   */
  readonly expectedScope?: Partial<OverlayScope> | undefined;
  /** Largest document in bytes. Default 2 MiB. */
  readonly maxBytes?: number | undefined;
  /** Most candidates. Default 1024. */
  readonly maxCandidates?: number | undefined;
  /** Deepest nesting of objects and arrays; an envelope's candidate stands at 4. Default 32. */
  readonly maxDepth?: number | undefined;
}

/** {@link ParseOverlayOptions} with defaults applied. */
export interface ResolvedParseOptions {
  readonly expectedScope: Partial<OverlayScope> | undefined;
  readonly maxBytes: number;
  readonly maxCandidates: number;
  readonly maxDepth: number;
}

/**
 * Applies defaults.
 * @throws RangeError when a limit is not a positive integer, or `maxDepth` is above 1000.
 */
export function resolveParseOptions(options: ParseOverlayOptions = {}): ResolvedParseOptions {
  return {
    expectedScope: options.expectedScope,
    maxBytes: limit('maxBytes', options.maxBytes ?? OVERLAY_BYTES_MAX, Number.MAX_SAFE_INTEGER),
    maxCandidates: limit('maxCandidates', options.maxCandidates ?? CANDIDATES_MAX, Number.MAX_SAFE_INTEGER),
    maxDepth: limit('maxDepth', options.maxDepth ?? JSON_DEPTH_MAX, CALLER_DEPTH_MAX),
  };
}

/** Later stages walk the tree recursively: far below the smallest stack, far above any real document. */
const CALLER_DEPTH_MAX = 1000;

function limit(name: string, value: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  throw new RangeError(`parseOverlay option ${name} is ${value}; expected an integer from 1 to ${max}.`);
}
