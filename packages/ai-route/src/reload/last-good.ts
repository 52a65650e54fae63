import type { Overlay } from '@switchyard/overlay-contract';
import type { Clock } from '../clock.ts';
import type { RejectedEvent, RouterEvent } from '../events.ts';
import type { LastRejection, ReloadCounters } from '../views.ts';
import type { LoadOutcome } from './load-overlay.ts';

/** Puts an overlay into service and says which of its clusters the gateway doesn't have. */
type Serve = (overlay: Overlay) => { readonly unknownClusters: readonly string[] };

/** What the last good overlay does with others. */
export interface LastGoodOptions {
  readonly clock: Clock;
  readonly serve: Serve;
  readonly emit: (event: RouterEvent) => void;
}

/**
 * The overlay in service, and the judgement on each document offered to replace it. Only a valid document with another
 * revision does; whatever else comes, the last good one stays.
 */
export class LastGood {
  readonly #options: LastGoodOptions;
  #overlay: Overlay;
  #loadedAt: number;
  #lastRejected: LastRejection | undefined;
  readonly #counters = { accepted: 0, unchanged: 0, rejected: 0, unreadable: 0 };

  /** @param first - Served at once. */
  constructor(first: Overlay, options: LastGoodOptions) {
    this.#options = options;
    this.#overlay = first;
    this.#loadedAt = options.clock.now();
    this.#accepted(first, options.serve(first).unknownClusters, null);
  }

  get overlay(): Overlay {
    return this.#overlay;
  }

  /** Milliseconds since the Unix epoch. */
  get loadedAt(): number {
    return this.#loadedAt;
  }

  get lastRejected(): LastRejection | undefined {
    return this.#lastRejected;
  }

  get counters(): ReloadCounters {
    return { ...this.#counters };
  }

  /** Judges a reading of the file. */
  offer(outcome: LoadOutcome): void {
    switch (outcome.kind) {
      case 'same':
        // The same bad document again is no news; the same good one confirms what is served.
        if (this.#lastRejected === undefined) this.#unchanged('same_bytes');
        return;
      case 'valid':
        this.#offerValid(outcome.overlay);
        return;
      case 'invalid': {
        const { issues, claimedRevision } = outcome;
        const code = issues[0]?.code ?? 'internal_error';
        const message = issues.map((issue) => `${issue.path || 'document'}: ${issue.message}`).join('; ');
        this.#reject({ code, message, issues, revision: claimedRevision });
        return;
      }
      case 'unreadable': {
        const { code, message } = outcome;
        this.#counters.unreadable++;
        this.#lastRejected = { code, message, issues: [], revision: null, at: this.#options.clock.now() };
        this.#options.emit({ type: 'unreadable', code, message, servingRevision: this.#overlay.revision });
      }
    }
  }

  #offerValid(overlay: Overlay): void {
    const previous = this.#overlay;
    if (overlay.revision === previous.revision) {
      // Timestamps and provenance may differ; what is routed doesn't, so turns go on undisturbed.
      this.#overlay = overlay;
      this.#lastRejected = undefined;
      this.#unchanged('same_revision');
      return;
    }
    this.#reportRollback(overlay, previous);
    let unknownClusters: readonly string[];
    try {
      unknownClusters = this.#options.serve(overlay).unknownClusters;
    } catch (cause) {
      const message = `the overlay is valid but could not be put into service: ${String(cause)}`;
      this.#reject({ code: 'internal_error', message, issues: [], revision: overlay.revision });
      return;
    }
    this.#accepted(overlay, unknownClusters, previous.revision);
  }

  /** Everything is in place before anyone is told: a listener that asks for the status sees the new one. */
  #accepted(overlay: Overlay, unknownClusters: readonly string[], previousRevision: string | null): void {
    const { revision, candidates } = overlay;
    this.#overlay = overlay;
    this.#loadedAt = this.#options.clock.now();
    this.#lastRejected = undefined;
    this.#counters.accepted++;
    const sourceGeneration = overlay.provenance?.sourceGeneration ?? null;
    const candidateCount = candidates.length;
    this.#options.emit({ type: 'accepted', revision, previousRevision, candidateCount, sourceGeneration });
    if (unknownClusters.length > 0) {
      this.#options.emit({ type: 'unknown_clusters', revision, clusters: unknownClusters });
    }
  }

  #unchanged(reason: 'same_bytes' | 'same_revision'): void {
    this.#counters.unchanged++;
    this.#options.emit({ type: 'unchanged', revision: this.#overlay.revision, reason });
  }

  #reportRollback(overlay: Overlay, previous: Overlay): void {
    const { provenance } = overlay;
    const before = previous.provenance;
    if (provenance === undefined || before === undefined || provenance.sourceUid !== before.sourceUid) return;
    if (provenance.sourceGeneration >= before.sourceGeneration) return;
    this.#options.emit({
      type: 'rollback',
      revision: overlay.revision,
      sourceGeneration: provenance.sourceGeneration,
      previousGeneration: before.sourceGeneration,
    });
  }

  #reject(rejection: Rejection): void {
    this.#counters.rejected++;
    this.#lastRejected = { ...rejection, at: this.#options.clock.now() };
    this.#options.emit({ type: 'rejected', ...rejection, servingRevision: this.#overlay.revision });
  }
}

type Rejection = Omit<RejectedEvent, 'type' | 'servingRevision'>;
