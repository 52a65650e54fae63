import type { Router, RouterEvent } from '@switchyard/ai-route';
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
      metrics.overlayRead('accepted');
      log.info(fields(event), 'overlay accepted; it serves from now on');
      return;
    case 'unchanged':
      metrics.overlayRead('unchanged');
      log.debug(fields(event), 'overlay read again; nothing changed');
      return;
    case 'rejected':
      metrics.overlayRead('rejected', event.code);
      log.error(
        {
          ...fields(event),
          issues: event.issues.slice(0, ISSUES_LOGGED_MAX),
          issueCount: event.issues.length,
        },
        'overlay rejected; the last good one keeps serving',
      );
      return;
    case 'unreadable':
      metrics.overlayRead('unreadable');
      log.error(fields(event), 'overlay cannot be read; the last good one keeps serving');
      return;
    case 'rollback':
      metrics.overlayRead('rollback');
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
  }
}

/**
 * Shows the serving snapshot in the metrics: at start and after each accepted overlay.
 * @param acceptedAtMs - Epoch milliseconds.
 */
export function showServingSnapshot(router: Router, metrics: GatewayMetrics, acceptedAtMs: number): void {
  const models = router
    .routes()
    .filter((view) => view.kind === 'inference_model')
    .map((view) => ({
      model: view.name,
      clusters: [
        ...new Set(
          view.groups
            .flatMap((group) => group.members)
            .filter((m) => m.reason !== 'unknown_cluster')
            .map((m) => m.cluster),
        ),
      ],
    }));
  metrics.snapshotServes({ revision: router.status().servingRevision, acceptedAtMs, models });
}

function fields(event: RouterEvent): Record<string, unknown> {
  const { type, ...rest } = event;
  return { event: `overlay_${type}`, ...rest };
}
