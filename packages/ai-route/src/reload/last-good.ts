import type { OverlayProvenance } from '@switchyard/overlay-contract';
import type { Clock } from '../clock.ts';
import type { RejectedEvent, RouterEvent } from '../events.ts';
import type { ValidDocument } from '../judge/judge-document.ts';
import type { RoutingOverlay } from '../snapshot/routing-overlay.ts';
import type { LastRejection, ReloadCounters } from '../views.ts';
import type { BadReading, LoadOutcome } from './load-overlay.ts';
import { ServedGenerations } from './rollback.ts';

/** A snapshot that needs only be put in place. */
interface PreparedSnapshot {
  /** Puts it into service and says which of its clusters the gateway doesn't have. */
  commit(): { readonly unknownClusters: readonly string[] };
}

/** Builds everything a document needs to be served, while requests go on. Undefined when abandoned. */
export type Prepare = (document: ValidDocument, signal: AbortSignal) => Promise<PreparedSnapshot | undefined>;

/** What the last good overlay does with others. */
export interface LastGoodOptions {
  readonly clock: Clock;
  readonly prepare: Prepare;
  readonly emit: (event: RouterEvent) => void;
  /** What becomes of an older generation of the same source. */
  readonly rollback: 'accept' | 'refuse';
}

/** The overlay in service. */
export interface ServedOverlay {
  readonly overlay: RoutingOverlay;
  /** When it was put into service, in milliseconds since the Unix epoch. */
  readonly loadedAt: number;
  readonly from: 'source' | 'last_good_file';
}

/**
 * The overlay in service, and the judgement on each document offered to replace it. Only a valid document with another
 * revision does; whatever else comes, the last good one stays.
 */
export class LastGood {
  readonly #options: LastGoodOptions;
  #served: ServedOverlay | undefined;
  readonly #generations: ServedGenerations;
  #confirmedAt: number | null = null;
  #lastRejected: LastRejection | undefined;
  readonly #counters = { accepted: 0, unchanged: 0, rejected: 0, unreadable: 0 };

  /** @param known - Provenance of an overlay that was served before this process: older ones are rollbacks. */
  constructor(options: LastGoodOptions, known?: OverlayProvenance) {
    this.#options = options;
    this.#generations = new ServedGenerations(known);
  }

  /** Undefined until there is a first one. */
  get served(): ServedOverlay | undefined {
    return this.#served;
  }

  /** When the source was last read and found to hold what is served, in milliseconds since the Unix epoch. */
  get confirmedAt(): number | null {
    return this.#confirmedAt;
  }

  get lastRejected(): LastRejection | undefined {
    return this.#lastRejected;
  }

  get counters(): ReloadCounters {
    return { ...this.#counters };
  }

  /** Serves the copy of an earlier overlay, because the source has none. */
  async restore(document: ValidDocument, file: string, signal: AbortSignal): Promise<void> {
    const prepared = await this.#options.prepare(document, signal);
    if (prepared === undefined) return;
    const { unknownClusters } = prepared.commit();
    const { overlay } = document;
    this.#serve(overlay, 'last_good_file');
    const { revision, provenance, candidates } = overlay;
    const sourceGeneration = provenance?.sourceGeneration ?? null;
    this.#options.emit({
      type: 'restored',
      revision,
      file,
      candidateCount: candidates.length,
      sourceGeneration,
    });
    this.#reportUnknown(revision, unknownClusters);
  }

  /**
   * Judges a reading of the file.
   *
   * @param signal - Abandons what is not in service yet.
   */
  async offer(outcome: LoadOutcome, signal: AbortSignal): Promise<void> {
    switch (outcome.kind) {
      case 'same':
        // The same bad document again is no news; the same good one confirms what is served.
        if (this.#lastRejected === undefined) this.#unchanged('same_bytes');
        return;
      case 'valid':
        await this.#offerValid(outcome, signal);
        return;
      case 'invalid':
      case 'unreadable':
        this.#offerBad(outcome);
    }
  }

  /** A reading came to nothing, because of a defect. */
  failed(cause: unknown): void {
    const message = `the overlay file could not be judged: ${String(cause)}`;
    this.#reject({ code: 'internal_error', message, issues: [], revision: null });
  }

  #offerBad(reading: BadReading): void {
    if (reading.kind === 'invalid') {
      const { issues, claimedRevision } = reading;
      const code = issues[0]?.code ?? 'internal_error';
      const message = issues.map((issue) => `${issue.path || 'document'}: ${issue.message}`).join('; ');
      this.#reject({ code, message, issues, revision: claimedRevision });
      return;
    }
    const { code, message } = reading;
    this.#counters.unreadable++;
    this.#lastRejected = { code, message, issues: [], revision: null, at: this.#options.clock.now() };
    this.#options.emit({ type: 'unreadable', code, message, servingRevision: this.#revision });
  }

  async #offerValid(document: ValidDocument, signal: AbortSignal): Promise<void> {
    const { overlay } = document;
    const served = this.#served;
    const rollback = this.#generations.rollbackTo(overlay.provenance);
    const refused = rollback !== undefined && this.#options.rollback === 'refuse';
    if (overlay.revision === served?.overlay.revision) {
      // Timestamps and provenance may differ; what is routed doesn't, so turns go on undisturbed.
      this.#served = { ...served, overlay: refused ? served.overlay : overlay, from: 'source' };
      if (!refused) this.#generations.served(overlay.provenance);
      this.#lastRejected = undefined;
      this.#unchanged('same_revision');
      return;
    }
    if (refused) {
      const message =
        `generation ${rollback.sourceGeneration} is older than ${rollback.previousGeneration}, which was served ` +
        'before; publish a newer one, or set reload.rollback to "accept"';
      this.#reject({ code: 'rollback_refused', message, issues: [], revision: overlay.revision });
      return;
    }
    let unknownClusters: readonly string[];
    try {
      const prepared = await this.#options.prepare(document, signal);
      if (prepared === undefined || signal.aborted) return;
      if (rollback !== undefined)
        this.#options.emit({ type: 'rollback', revision: overlay.revision, ...rollback });
      unknownClusters = prepared.commit().unknownClusters;
    } catch (cause) {
      const message = `the overlay is valid but could not be put into service: ${String(cause)}`;
      this.#reject({ code: 'internal_error', message, issues: [], revision: overlay.revision });
      return;
    }
    this.#accepted(overlay, unknownClusters);
  }

  /** Everything is in place before anyone is told: a listener that asks for the status sees the new one. */
  #accepted(overlay: RoutingOverlay, unknownClusters: readonly string[]): void {
    const previousRevision = this.#revision;
    this.#serve(overlay, 'source');
    this.#confirmedAt = this.#options.clock.now();
    this.#lastRejected = undefined;
    this.#counters.accepted++;
    const { revision, candidates, provenance } = overlay;
    const sourceGeneration = provenance?.sourceGeneration ?? null;
    const candidateCount = candidates.length;
    this.#options.emit({ type: 'accepted', revision, previousRevision, candidateCount, sourceGeneration });
    this.#reportUnknown(revision, unknownClusters);
  }

  #serve(overlay: RoutingOverlay, from: ServedOverlay['from']): void {
    this.#served = { overlay, loadedAt: this.#options.clock.now(), from };
    this.#generations.served(overlay.provenance);
  }

  #reportUnknown(revision: string, clusters: readonly string[]): void {
    if (clusters.length > 0) this.#options.emit({ type: 'unknown_clusters', revision, clusters });
  }

  #unchanged(reason: 'same_bytes' | 'same_revision'): void {
    if (this.#served === undefined) return;
    this.#confirmedAt = this.#options.clock.now();
    this.#counters.unchanged++;
    this.#options.emit({ type: 'unchanged', revision: this.#served.overlay.revision, reason });
  }

  #reject(rejection: Rejection): void {
    this.#counters.rejected++;
    this.#lastRejected = { ...rejection, at: this.#options.clock.now() };
    this.#options.emit({ type: 'rejected', ...rejection, servingRevision: this.#revision });
  }

  get #revision(): string | null {
    return this.#served?.overlay.revision ?? null;
  }
}

type Rejection = Omit<RejectedEvent, 'type' | 'servingRevision'>;
