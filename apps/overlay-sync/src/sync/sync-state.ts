import type { OverlayIssue, OverlayIssueCode } from '@switchyard/overlay-contract';
import type { AbsentReason, UnavailableReason } from '../source/source.ts';
import type { SyncEvent } from './events.ts';

/** Why a copy is degraded: a closed list, fit for a metric label. */
type DegradedReason = AbsentReason | UnavailableReason | OverlayIssueCode | 'write_failed';

/** One thing that is wrong now. */
export interface Problem {
  readonly reason: DegradedReason;
  /** For people. */
  readonly message: string;
  /** When it was first seen, as RFC 3339 in UTC. */
  readonly since: string;
  /** What the contract found wrong, the first 20; empty when the reason is no issue code. */
  readonly issues: readonly OverlayIssue[];
}

/** Where the copy stands. */
export interface SyncSnapshot {
  /** `cold`: no valid overlay yet. `ready`: the output holds one. `ready_degraded`: it does, and something is wrong. */
  readonly state: 'cold' | 'ready' | 'ready_degraded';
  /** Reason of the first problem; null when all is well. */
  readonly degradedReason: DegradedReason | null;
  /** What is wrong now: with the output, with the document, with the source, in this order. */
  readonly problems: readonly Problem[];
  /** Revision of the last valid document the source had. */
  readonly observedOverlayRevision: string | null;
  /** Revision in the output file, as far as known. */
  readonly writtenOverlayRevision: string | null;
  /** `provenance.source_generation` of the last valid document. */
  readonly sourceGeneration: number | null;
  /** When the source last had a document, valid or not. */
  readonly lastObservedAt: string | null;
  readonly lastWrittenAt: string | null;
}

/** Each kind of problem comes and goes on its own: an API that is back says nothing about a disk that is full. */
type Slot = 'output' | 'document' | 'source';
const SLOTS: readonly Slot[] = ['output', 'document', 'source'];
const NO_ISSUES: readonly OverlayIssue[] = [];
/** A broken document can have a thousand issues; the first few say what it is. */
const ISSUES_MAX = 20;

/** The present, folded from all events so far. */
export class SyncState {
  readonly #now: () => number;
  readonly #problems = new Map<Slot, Problem>();
  #observedRevision: string | null = null;
  #writtenRevision: string | null = null;
  #sourceGeneration: number | null = null;
  #observedAt: string | null = null;
  #writtenAt: string | null = null;

  /** @param now - Milliseconds since the Unix epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** True from the first valid overlay in the output on, and for good. */
  get ready(): boolean {
    return this.#writtenRevision !== null;
  }

  snapshot(): SyncSnapshot {
    const problems = SLOTS.flatMap((slot) => this.#problems.get(slot) ?? []);
    const degraded = problems.length > 0;
    return {
      state: this.ready ? (degraded ? 'ready_degraded' : 'ready') : 'cold',
      degradedReason: problems[0]?.reason ?? null,
      problems,
      observedOverlayRevision: this.#observedRevision,
      writtenOverlayRevision: this.#writtenRevision,
      sourceGeneration: this.#sourceGeneration,
      lastObservedAt: this.#observedAt,
      lastWrittenAt: this.#writtenAt,
    };
  }

  /** Takes what happened. */
  readonly observe = (event: SyncEvent): void => {
    switch (event.type) {
      case 'found_output':
        this.#sourceGeneration = event.overlay.provenance?.sourceGeneration ?? null;
        this.#writtenRevision = event.overlay.revision;
        return;
      case 'accepted':
      case 'unchanged':
        this.#sourceGeneration = event.overlay.provenance?.sourceGeneration ?? null;
        this.#observedRevision = event.overlay.revision;
        this.#sawDocument();
        this.#problems.delete('document');
        return;
      case 'rejected': {
        const { code, issues } = event;
        this.#sawDocument();
        this.#set('document', {
          reason: code,
          message: describeIssues(issues),
          issues: issues.slice(0, ISSUES_MAX),
        });
        return;
      }
      case 'absent':
        this.#problems.delete('source');
        this.#set('document', { reason: event.reason, message: event.message, issues: NO_ISSUES });
        return;
      case 'unavailable':
        this.#set('source', { reason: event.reason, message: event.message, issues: NO_ISSUES });
        return;
      case 'alive':
        this.#problems.delete('source');
        return;
      case 'written':
        this.#writtenAt = this.#timestamp();
        this.#settled(event.revision);
        return;
      case 'intact':
        this.#settled(event.revision);
        return;
      case 'write_failed':
        this.#set('output', { reason: 'write_failed', message: event.message, issues: NO_ISSUES });
        return;
      case 'reconnecting':
        return;
    }
  };

  #sawDocument(): void {
    this.#observedAt = this.#timestamp();
    this.#problems.delete('source');
  }

  #settled(revision: string): void {
    this.#writtenRevision = revision;
    this.#problems.delete('output');
  }

  #set(slot: Slot, problem: Omit<Problem, 'since'>): void {
    const before = this.#problems.get(slot);
    const since = before?.reason === problem.reason ? before.since : this.#timestamp();
    this.#problems.set(slot, { ...problem, since });
  }

  #timestamp(): string {
    return new Date(this.#now()).toISOString();
  }
}

/** The first issue in words, and how many more there are. */
export function describeIssues(issues: readonly OverlayIssue[]): string {
  const [first] = issues;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return `the overlay is not valid: ${first?.path || 'document'}: ${first?.message ?? ''}${more}`;
}
