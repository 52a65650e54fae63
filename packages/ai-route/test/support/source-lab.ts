import type { Overlay } from '@switchyard/overlay-contract';
import { ManualClock } from '@switchyard/test-kit';
import { FSWatcher } from 'chokidar';
import { OverlaySource, type OverlaySourceHooks } from '../../src/reload/overlay-source.ts';
import { EventLog } from './event-log.ts';

/** A source without a router around it, for what only its internal hooks can bring about. */
export async function startSource(
  file: string,
  hooks: OverlaySourceHooks,
  pollMs = 3_600_000,
): Promise<{ source: OverlaySource; events: EventLog; served: Overlay[] }> {
  const events = new EventLog();
  const served: Overlay[] = [];
  const source = await OverlaySource.start(
    {
      reader: { file, parse: { maxBytes: 2 ** 21 } },
      reload: { enabled: true, debounceMs: 10, pollMs },
      clock: new ManualClock(),
      emit: events.record,
      serve(overlay) {
        served.push(overlay);
        return { unknownClusters: [] };
      },
    },
    hooks,
  );
  return { source, events, served };
}

/** A watcher to which nothing is ever reported. */
export function deafWatcher(): FSWatcher {
  const watcher = new FSWatcher({});
  setImmediate(() => watcher.emit('ready'));
  return watcher;
}

/** A watcher that the system has no resources for. */
export function refusedWatcher(code: string): FSWatcher {
  const watcher = new FSWatcher({});
  setImmediate(() => {
    watcher.emit('error', Object.assign(new Error(`${code}: no more watches`), { code }));
    watcher.emit('ready');
  });
  return watcher;
}
