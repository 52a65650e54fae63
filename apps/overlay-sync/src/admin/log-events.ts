import type { AppContext } from '@switchyard/gateway-kit';
import type { SyncEvent, SyncObserver } from '../sync/events.ts';
import { describeIssues } from '../sync/sync-state.ts';

type Log = AppContext['log'];

/** Logs what happened. A trouble that goes on is said once, until it is over or another takes its place. */
export function createEventLog(log: Log): SyncObserver {
  const said = new Map<'document' | 'source' | 'output', string>();
  const trouble = (kind: 'document' | 'source' | 'output', reason: string, message: string): void => {
    const text = `${reason} ${message}`;
    if (said.get(kind) === text) return;
    said.set(kind, text);
    log.warn({ reason }, message);
  };
  return (event: SyncEvent): void => {
    switch (event.type) {
      case 'found_output':
        log.info({ revision: event.overlay.revision }, 'a valid overlay already stands in the output file');
        return;
      case 'accepted':
        said.delete('document');
        said.delete('source');
        log.info({ revision: event.overlay.revision, bytes: event.size }, 'the source has a new overlay');
        return;
      case 'unchanged':
        said.delete('document');
        said.delete('source');
        log.debug({ revision: event.overlay.revision, reason: event.reason }, 'the overlay is unchanged');
        return;
      case 'rejected':
        said.delete('source');
        trouble('document', event.code, describeIssues(event.issues));
        return;
      case 'absent':
        said.delete('source');
        trouble('document', event.reason, event.message);
        return;
      case 'unavailable':
        trouble('source', event.reason, event.message);
        return;
      case 'alive':
        said.delete('source');
        return;
      case 'reconnecting':
        log.debug({ reason: event.reason }, 'the watch begins anew');
        return;
      case 'written': {
        said.delete('output');
        const message = event.restored
          ? 'the output file was changed by others: restored'
          : 'overlay written';
        log[event.restored ? 'warn' : 'info']({ revision: event.revision }, message);
        return;
      }
      case 'intact':
        said.delete('output');
        return;
      case 'write_failed':
        trouble('output', 'write_failed', event.message);
        return;
    }
  };
}
