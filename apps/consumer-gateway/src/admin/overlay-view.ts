import type { RouterStatus } from '@switchyard/ai-route';

/** What `/admin/overlay` shows: which overlay is accepted, which serves, and what was last refused and why. */
export interface OverlayView {
  readonly mode: RouterStatus['mode'];
  /** Whether the gateway should get requests, and what is not as it should be. */
  readonly health: RouterStatus['health'];
  /** The newest accepted revision; null before the first. */
  readonly accepted: { readonly revision: string; readonly at: string } | null;
  /** The revision that new requests are routed by, and how old what it says is; null before the first. */
  readonly serving: {
    readonly revision: string;
    readonly candidateCount: number;
    readonly from: RouterStatus['servedFrom'];
    readonly renderedAt: string | null;
    readonly ageSeconds: number | null;
  } | null;
  /** The refused state of the file, or null while the file is good. */
  readonly lastRejected: {
    readonly code: string;
    readonly message: string;
    readonly revision: string | null;
    readonly at: string;
    readonly issues: readonly { readonly code: string; readonly path: string; readonly message: string }[];
  } | null;
  readonly source: {
    readonly path: string | null;
    readonly generation: number | null;
    readonly watch: RouterStatus['watch'];
    /** When it was last read and found to hold what serves. */
    readonly confirmedAt: string | null;
  };
  /** The copy for the next start, or null when none is configured. */
  readonly lastGoodFile: {
    readonly path: string;
    readonly savedAt: string | null;
    readonly error: string | null;
  } | null;
  readonly counters: RouterStatus['counters'];
  /** Clusters that the overlay names and this gateway does not have. */
  readonly unknownClusters: readonly string[];
}

/** The router's status in the words and the order of the admin page; times as RFC 3339. */
export function overlayView(status: RouterStatus): OverlayView {
  const { lastRejected, lastGoodFile, servingRevision, loadedAt } = status;
  const serves = servingRevision !== null && loadedAt !== null;
  return {
    mode: status.mode,
    health: status.health,
    accepted: serves ? { revision: servingRevision, at: new Date(loadedAt).toISOString() } : null,
    serving: serves
      ? {
          revision: servingRevision,
          candidateCount: status.candidateCount,
          from: status.servedFrom,
          renderedAt: iso(status.renderedAt),
          ageSeconds: status.ageSeconds,
        }
      : null,
    lastRejected:
      lastRejected === undefined
        ? null
        : {
            code: lastRejected.code,
            message: lastRejected.message,
            revision: lastRejected.revision,
            at: new Date(lastRejected.at).toISOString(),
            issues: lastRejected.issues,
          },
    source: {
      path: status.sourcePath,
      generation: status.sourceGeneration,
      watch: status.watch,
      confirmedAt: iso(status.confirmedAt),
    },
    lastGoodFile: lastGoodFile && { ...lastGoodFile, savedAt: iso(lastGoodFile.savedAt) },
    counters: status.counters,
    unknownClusters: status.unknownClusters,
  };
}

function iso(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
