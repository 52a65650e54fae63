import { type ChildProcess, spawn } from 'node:child_process';
import { ManualClock } from '@switchyard/test-kit';
import { FSWatcher } from 'chokidar';
import type { ValidDocument } from '../../src/judge/judge-document.ts';
import type { ResolvedReload } from '../../src/options/resolve-overlay.ts';
import {
  OverlaySource,
  type OverlaySourceHooks,
  type OverlaySourceOptions,
} from '../../src/reload/overlay-source.ts';
import type { RoutingOverlay } from '../../src/snapshot/routing-overlay.ts';
import { EventLog } from './event-log.ts';
import { sourceArgs } from './source-args.ts';

/** What `reload` means when nothing is said, but for polling, which is out of the way. */
export const RELOAD: ResolvedReload = {
  enabled: true,
  debounceMs: 10,
  pollMs: 3_600_000,
  onMissing: 'refuse',
  lastGoodFile: undefined,
  rollback: 'accept',
  maxAgeMs: undefined,
  onExpired: 'serve',
};

/** A source without a router around it, for what only its internal hooks can bring about. */
export async function startSource(
  file: string,
  hooks: OverlaySourceHooks,
  reload: Partial<ResolvedReload> = {},
  parse: OverlaySourceOptions['parse'] = { maxBytes: 2 ** 24, maxCandidates: 100_000 },
): Promise<{ source: OverlaySource; events: EventLog; served: RoutingOverlay[] }> {
  const events = new EventLog();
  const served: RoutingOverlay[] = [];
  const source = await OverlaySource.start(
    {
      file,
      parse,
      reload: { ...RELOAD, ...reload },
      clock: new ManualClock(),
      emit: events.record,
      prepare: preparing((overlay) => void served.push(overlay)),
    },
    hooks,
  );
  return { source, events, served };
}

/** Prepares nothing; `serve` is told what goes into service. */
export function preparing(serve: (overlay: RoutingOverlay) => void) {
  return async ({ overlay }: ValidDocument) => ({
    commit() {
      serve(overlay);
      return { unknownClusters: [] };
    },
  });
}

/** The worker process, started from the sources. */
export function openSourceWorker(): ChildProcess {
  return openNode(...sourceArgs(new URL('../../src/judge/worker-main.ts', import.meta.url)));
}

/** A process of Node's with the pipes that a worker has. */
export function openNode(...args: string[]): ChildProcess {
  return spawn(process.execPath, args, { stdio: ['pipe', 'inherit', 'inherit', 'pipe'] });
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
