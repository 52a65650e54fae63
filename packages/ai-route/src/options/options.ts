import type {
  AdmissionState,
  CandidateKind,
  OverlayScope,
  SelectionPolicy,
} from '@switchyard/overlay-contract';
import type { Clock } from '../clock.ts';
import type { RouterEvent } from '../events.ts';
import type { ViabilityEvent } from '../health/viability-event.ts';
import type { StartMode } from '../pickers/start-offset.ts';
import type { Random } from '../random.ts';

/** Sessions stay with the provider that first served them. The README compares the modes. */
export interface AffinityOptions {
  readonly enabled: boolean;
  /**
   * `table`: this process remembers. `rendezvous`: it follows from the key, with nothing to remember. `cookie`: the
   * client keeps a signed token. Default `table`.
   */
  readonly mode?: 'table' | 'rendezvous' | 'cookie';
  /** What becomes of a session that failed over when its own provider is viable again. Default `stay`. Not with `rendezvous`. */
  readonly onReturn?: 'stay' | 'failBack';
  /** How long a binding lives without being used, in seconds. 1 to 86,400. Default 3,600. */
  readonly ttlSeconds?: number;
  /** Bindings kept by `table`; full, those go first that never proved right, then those unused for longest. 1 to 10,000,000. Default 100,000. */
  readonly capacity?: number;
  /** For `cookie`: the first one signs, all verify. At least one, of 32 bytes or more each. */
  readonly keys?: readonly Uint8Array[];
}

/** What exists at one provider only, see `RouteRequest.stateKey`. */
export interface StateOptions {
  /** Holders remembered. 1 to 10,000,000. Default 100,000. */
  readonly capacity?: number;
  /** How long a holder is remembered without being asked for, in seconds. 1 to 31,536,000. Default 86,400. */
  readonly ttlSeconds?: number;
}

/** Retries as a share of live traffic, per capability. */
export interface RetryBudgetOptions {
  /** Of the requests in flight, 0 to 1, how many may be past their first attempt. Default 0.2. */
  readonly ratio?: number;
  /** How many may be in any case. 0 to 1,000,000. Default 10. */
  readonly minConcurrent?: number;
}

/** What a request may do after an attempt failed. */
export interface RetryOptions {
  /** Candidates one request may try, the first included. 1 to 100. Default 3. */
  readonly attempts?: number;
  /** No further attempt starts later than this after the request did, in milliseconds; 0 = no limit. Default 60,000. */
  readonly withinMs?: number;
  readonly budget?: RetryBudgetOptions;
}

/** When a candidate that keeps failing is left alone for a while. The last viable one of a capability never is. */
export interface ViabilityOptions {
  /** Default true. */
  readonly enabled?: boolean;
  /** Failures in a row that eject a candidate; 0 = failures don't, only `Retry-After` does. Default 5. */
  readonly consecutiveFailures?: number;
  /** How long the first ejection lasts, in milliseconds; each further one in a row twice as long. Default 10,000. */
  readonly ejectionMs?: number;
  /** Longest ejection, in milliseconds. Default 300,000. */
  readonly maxEjectionMs?: number;
  /** Longest `Retry-After` of a 429 or 503 that is obeyed, in milliseconds; 0 = none is. Default 60,000. */
  readonly retryAfterMaxMs?: number;
  /** The part of an ejection that is drawn by lot and left out, 0 to 1, so that a fleet doesn't come back in step. Default 0.2. */
  readonly jitter?: number;
}

/** Options of both modes. */
export interface CommonRouterOptions {
  /** The clusters the gateway has. A candidate of another one gets no requests. Default: every cluster counts as known. */
  readonly knownClusters?: Iterable<string>;
  /** Default: off. */
  readonly affinity?: AffinityOptions;
  /** Where rotations begin. Default `first`; a fleet of gateways wants `hashed`. */
  readonly start?: StartMode;
  /** Default: the clock of the process. */
  readonly clock?: Clock;
  /** Default: a generator seeded by the operating system. */
  readonly random?: Random;
  readonly retry?: RetryOptions;
  readonly viability?: ViabilityOptions;
  /** Told whenever a candidate is ejected, or has recovered. */
  readonly onViability?: (event: ViabilityEvent) => void;
  readonly state?: StateOptions;
}

/** A candidate written down in the gateway's own configuration. The bounds are those of the overlay contract. */
export interface StaticCandidate {
  readonly kind: CandidateKind;
  readonly name: string;
  readonly site: string;
  readonly cluster: string;
  /** Default: made of kind, name, site and cluster. */
  readonly stableId?: string;
  /** Needed by every policy but `deterministic`. From 0, in order, per capability. */
  readonly selectionGroup?: number;
  /** Default `new_and_existing`. */
  readonly admissionState?: AdmissionState;
  /** 1 to 1,000; required by the weighted policies, not allowed otherwise. */
  readonly trafficWeight?: number;
  readonly selectionTier?: string;
  readonly rank?: number;
  /** Default true. */
  readonly fresh?: boolean;
}

/** Candidates that never change. */
export interface StaticRouterOptions extends CommonRouterOptions {
  readonly candidates: readonly StaticCandidate[];
  readonly localSite: string;
  /** Default `deterministic`. */
  readonly selectionPolicy?: SelectionPolicy;
  readonly overlayFile?: never;
}

/** How the overlay file is followed. */
export interface ReloadOptions {
  /** Default true. */
  readonly enabled?: boolean;
  /** Quiet time after the last event of a burst, in milliseconds; a burst waits ten times that or 1 s at most. 0 to 60,000. Default 100. */
  readonly debounceMs?: number;
  /** Interval of the check that needs no events, in milliseconds. 10 to 3,600,000. Default 5,000. */
  readonly pollMs?: number;
  /**
   * What to do at start without a valid overlay, be the file absent or bad. `refuse`: `createRouter` throws. `wait`: the
   * router answers `not_ready` until there is one. Default `refuse`.
   */
  readonly onMissing?: 'refuse' | 'wait';
  /**
   * Where the document that was last accepted is kept, to start from when the overlay file is absent or bad. Written by
   * this router; the overlay file itself never is. Default: nowhere.
   */
  readonly lastGoodFile?: string;
  /** What becomes of an older generation of the same source. `accept` reports it. Default `accept`. */
  readonly rollback?: 'accept' | 'refuse';
  /**
   * Oldest overlay that counts as good, in seconds since its producer rendered it (since it was loaded, for one that
   * doesn't say). 1 to 315,360,000. Only for producers that publish at least that often. Default: no limit.
   */
  readonly maxAgeSeconds?: number;
  /** Whether a router with too old an overlay is degraded (`serve`) or not ready (`unready`). It selects either way. Default `serve`. */
  readonly onExpired?: 'serve' | 'unready';
}

/** What an overlay may cost. */
export interface OverlayLimits {
  /** Default 2 MiB. */
  readonly maxBytes?: number;
  /** Default 1,024. */
  readonly maxCandidates?: number;
}

/** Candidates from a routing overlay that a control plane keeps publishing. */
export interface OverlayRouterOptions extends CommonRouterOptions {
  /** Path of the overlay. Its directory is watched. */
  readonly overlayFile: string;
  /** What the overlay must be meant for. With it, overlays without a scope are refused. */
  readonly expectedScope?: Partial<OverlayScope>;
  readonly reload?: ReloadOptions;
  readonly limits?: OverlayLimits;
  /** Told of everything that happens to the overlay, from the first acceptance on. */
  readonly onEvent?: (event: RouterEvent) => void;
  readonly candidates?: never;
}

/** Exactly one of `candidates` and `overlayFile`. */
export type RouterOptions = StaticRouterOptions | OverlayRouterOptions;
