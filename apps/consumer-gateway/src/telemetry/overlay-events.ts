import type { RouterEvent } from '@switchyard/ai-route';
import type { Logger } from 'pino';
import type { GatewayMetrics } from './metrics.ts';

/** Issues of one rejected overlay that the log shows; `/admin/overlay` has them all. */
const ISSUES_LOGGED_MAX = 5;

/** Where the router's events go. */
export interface OverlayEventSinks {
  readonly log: Logger;
  readonly metrics: GatewayMetrics;
}

/** Logs one event of the router with its reason and counts it. */
export function observeOverlayEvent(event: RouterEvent, { log, metrics }: OverlayEventSinks): void {
  switch (event.type) {
    case 'accepted':
      metrics.overlay.read('accepted');
      log.info(fields(event), 'overlay accepted; it serves from now on');
      return;
    case 'unchanged':
      metrics.overlay.read('unchanged');
      log.debug(fields(event), 'overlay read again; nothing changed');
      return;
    case 'rejected':
      metrics.overlay.read('rejected', event.code);
      log.error(
        {
          ...fields(event),
          issues: event.issues.slice(0, ISSUES_LOGGED_MAX),
          issueCount: event.issues.length,
        },
        `overlay rejected; ${whatServes(event.servingRevision)}`,
      );
      return;
    case 'unreadable':
      metrics.overlay.read('unreadable', event.code);
      log.error(fields(event), `overlay cannot be read; ${whatServes(event.servingRevision)}`);
      return;
    case 'rollback':
      metrics.overlay.read('rollback');
      log.warn(fields(event), 'overlay goes back to an older source generation');
      return;
    case 'watch_degraded':
      log.warn(fields(event), 'file events are not available; the overlay is polled');
      return;
    case 'unknown_clusters':
      log.warn(
        fields(event),
        'overlay names clusters that this gateway does not have; their candidates get no requests',
      );
      return;
    case 'restored':
      metrics.overlay.read('restored');
      log.warn(fields(event), 'no valid overlay at start; the copy of the last good one serves');
      return;
    case 'expired':
      log.error(fields(event), 'the serving overlay is older than routing.reload.maxAgeSeconds');
      return;
    case 'last_good_unsaved':
      log.error(fields(event), 'the overlay serves, but could not be kept for the next start');
      return;
    case 'static_mount':
      log.warn(
        fields(event),
        'the overlay file is a mount of its own (subPath), which never changes; mount its directory',
      );
      return;
    case 'worker_failed':
      log.error(fields(event), 'the worker process cannot be started; large overlays delay requests');
  }
}

function whatServes(revision: string | null): string {
  return revision === null
    ? 'there is none to serve yet, and requests are answered 503'
    : 'the last good one keeps serving';
}

function fields(event: RouterEvent): Record<string, unknown> {
  const { type, ...rest } = event;
  return { event: `overlay_${type}`, ...rest };
}
