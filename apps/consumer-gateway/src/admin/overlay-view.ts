import type { RouterStatus } from '@switchyard/ai-route';

/** What `/admin/overlay` shows: which overlay is accepted, which serves, and what was last refused and why. */
export interface OverlayView {
  readonly mode: RouterStatus['mode'];
  /** The newest accepted revision. */
  readonly accepted: { readonly revision: string; readonly at: string };
  /** The revision that new requests are routed by. */
  readonly serving: { readonly revision: string; readonly candidateCount: number };
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
  };
  readonly counters: RouterStatus['counters'];
  /** Clusters that the overlay names and this gateway does not have. */
  readonly unknownClusters: readonly string[];
}

/** The router's status in the words and the order of the admin page; times as RFC 3339. */
export function overlayView(status: RouterStatus): OverlayView {
  const { lastRejected } = status;
  return {
    mode: status.mode,
    accepted: { revision: status.acceptedRevision, at: iso(status.loadedAt) },
    serving: { revision: status.servingRevision, candidateCount: status.candidateCount },
    lastRejected:
      lastRejected === undefined
        ? null
        : {
            code: lastRejected.code,
            message: lastRejected.message,
            revision: lastRejected.revision,
            at: iso(lastRejected.at),
            issues: lastRejected.issues,
          },
    source: { path: status.sourcePath, generation: status.sourceGeneration, watch: status.watch },
    counters: status.counters,
    unknownClusters: status.unknownClusters,
  };
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
