import type { Overlay } from '@switchyard/overlay-contract';
import { READ_FAILURE_CODES } from './events.ts';
import type { ResolvedOverlay } from './options/resolve-overlay.ts';
import type { OverlaySource } from './reload/overlay-source.ts';
import { ageOf } from './reload/snapshot-age.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import type { HealthReason, RouterHealth, RouterStatus } from './views.ts';

/** The status of a router with inline candidates, which never changes. */
export function staticStatus(overlay: Overlay, snapshot: Snapshot, loadedAt: number): RouterStatus {
  return {
    mode: 'static',
    health: { state: 'ready', reasons: [] },
    acceptedRevision: overlay.revision,
    servingRevision: overlay.revision,
    servedFrom: 'inline',
    sourcePath: null,
    loadedAt,
    renderedAt: null,
    confirmedAt: null,
    ageSeconds: null,
    sourceGeneration: null,
    candidateCount: overlay.candidates.length,
    counters: { accepted: 1, unchanged: 0, rejected: 0, unreadable: 0 },
    watch: 'off',
    unknownClusters: snapshot.unknownClusters,
    lastGoodFile: null,
  };
}

/** What an overlay router's status is read from. */
export interface StatusParts {
  readonly options: ResolvedOverlay;
  readonly source: OverlaySource;
  readonly snapshot: Snapshot | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The status of a router that follows a file. */
export function overlayStatus(parts: StatusParts): RouterStatus {
  const { options, source, snapshot, now } = parts;
  const { served, confirmedAt, lastRejected, counters } = source.lastGood;
  const provenance = served?.overlay.provenance;
  return {
    mode: 'overlay',
    health: health(parts),
    acceptedRevision: served?.overlay.revision ?? null,
    servingRevision: snapshot?.revision ?? null,
    servedFrom: served?.from ?? null,
    sourcePath: options.file,
    loadedAt: served?.loadedAt ?? null,
    renderedAt: provenance === undefined ? null : Date.parse(provenance.renderedAt),
    confirmedAt,
    ageSeconds: served === undefined ? null : ageOf(served, now) / 1000,
    sourceGeneration: provenance?.sourceGeneration ?? null,
    candidateCount: snapshot?.candidateCount ?? 0,
    ...(lastRejected && { lastRejected }),
    counters,
    watch: source.watching,
    unknownClusters: snapshot?.unknownClusters ?? [],
    lastGoodFile: source.lastGoodFile,
  };
}

function health({ options, source, now }: StatusParts): RouterHealth {
  const { served, lastRejected } = source.lastGood;
  if (served === undefined) {
    const why = lastRejected === undefined ? '' : `: ${lastRejected.message}`;
    return { state: 'not_ready', reasons: [{ code: 'no_overlay', message: `no valid overlay yet${why}` }] };
  }
  const { maxAgeMs, onExpired } = options.reload;
  const reasons: HealthReason[] = [];
  if (lastRejected !== undefined) {
    const unreadable = READ_FAILURE_CODES.some((code) => code === lastRejected.code);
    const message = `the overlay file is bad, the last good one serves: ${lastRejected.message}`;
    reasons.push({ code: unreadable ? 'source_unreadable' : 'source_rejected', message });
  }
  if (served.from === 'last_good_file') {
    const message = 'serves the copy of an earlier overlay, since there was no valid one at start';
    reasons.push({ code: 'last_good_copy', message });
  }
  const ageMs = ageOf(served, now);
  const expired = maxAgeMs !== undefined && ageMs > maxAgeMs;
  if (expired) {
    const message = `the overlay is ${Math.round(ageMs / 1000)} s old; at most ${maxAgeMs / 1000} s are allowed`;
    reasons.push({ code: 'expired', message });
  }
  if (expired && onExpired === 'unready') return { state: 'not_ready', reasons };
  return { state: reasons.length === 0 ? 'ready' : 'degraded', reasons };
}
