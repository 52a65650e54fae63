import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RouterStartError } from '../errors.ts';
import type { RouterEvent } from '../events.ts';
import type { ResolvedReload } from '../options/resolve-options.ts';
import type { RouterStatus } from '../views.ts';
import { createDebounce, type Debounce } from './debounce.ts';
import { LastGood, type LastGoodOptions } from './last-good.ts';
import { type LoadOutcome, loadOverlay, type OverlayReader } from './load-overlay.ts';
import { DirectoryWatch, type OpenWatcher } from './watch-directory.ts';

/** What an overlay source is made of. */
export interface OverlaySourceOptions extends LastGoodOptions {
  readonly reader: OverlayReader;
  readonly reload: ResolvedReload;
}

/** Ways in for tests. */
export interface OverlaySourceHooks {
  /** Runs between the first reading and the watch: what is written here must not be missed. */
  readonly beforeArm?: () => Promise<void>;
  readonly openWatcher?: OpenWatcher;
}

type ValidOutcome = Extract<LoadOutcome, { kind: 'valid' }>;

/** A burst of writes, however long, keeps a change waiting no longer than this or ten times the debounce. */
const DEBOUNCE_CAP_MS = 1000;

/**
 * Keeps the last good overlay in step with its file. Level-triggered: a hint, whatever it was about, means "look again",
 * and looking is cheap, because equal bytes end it. Events give speed; polling gives certainty.
 */
export class OverlaySource {
  readonly lastGood: LastGood;
  readonly #options: OverlaySourceOptions;
  readonly #watch: DirectoryWatch;
  readonly #debounce: Debounce;
  readonly #stop = new AbortController();
  #poll: NodeJS.Timeout | undefined;
  /** Fingerprint of the last outcome and of the file's metadata just before it was read. */
  #print: string;
  #seen = '';
  #dirty = false;
  #running: Promise<void> | undefined;

  /**
   * Reads the overlay, serves it and begins to watch.
   *
   * @throws {@link RouterStartError} when there is no valid overlay to start with.
   */
  static async start(options: OverlaySourceOptions, hooks: OverlaySourceHooks = {}): Promise<OverlaySource> {
    const first = await loadOverlay(options.reader, undefined, new AbortController().signal);
    if (first.kind !== 'valid') throw startError(options.reader.file, first);
    const source = new OverlaySource(options, first, hooks.openWatcher);
    if (options.reload.enabled) {
      await hooks.beforeArm?.();
      await source.#begin();
    }
    return source;
  }

  private constructor(options: OverlaySourceOptions, first: ValidOutcome, openWatcher?: OpenWatcher) {
    const { debounceMs } = options.reload;
    this.lastGood = new LastGood(first.overlay, options);
    this.#options = options;
    this.#print = first.print;
    const delayMaxMs = Math.max(debounceMs, Math.min(debounceMs * 10, DEBOUNCE_CAP_MS));
    this.#debounce = createDebounce({ delayMs: debounceMs, delayMaxMs }, () => void this.#look());
    const directory = dirname(options.reader.file);
    this.#watch = new DirectoryWatch(
      directory,
      { hint: () => this.#debounce.trigger(), degraded: (error) => this.#reportDegraded(error) },
      openWatcher,
    );
  }

  get watching(): RouterStatus['watch'] {
    if (this.#poll === undefined) return 'off';
    return this.#watch.armed ? 'events+poll' : 'poll';
  }

  /** Stops watching. What is being read is not served any more. */
  async close(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#poll);
    this.#poll = undefined;
    this.#debounce.cancel();
    await this.#watch.close();
    await this.#running;
    this.#debounce.cancel();
  }

  /** The reading that follows arming closes the gap since the first one. */
  async #begin(): Promise<void> {
    await this.#look();
    this.#poll = setInterval(() => void this.#pollOnce(), this.#options.reload.pollMs);
    this.#poll.unref();
  }

  async #pollOnce(): Promise<void> {
    await this.#watch.check();
    if ((await metadata(this.#options.reader.file)) !== this.#seen) await this.#look();
  }

  /** Reads the file until no one asks for it any more; one reader at a time. */
  #look(): Promise<void> {
    this.#dirty = true;
    this.#running ??= this.#lookWhileDirty().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #lookWhileDirty(): Promise<void> {
    while (this.#dirty && !this.#stop.signal.aborted) {
      this.#dirty = false;
      await this.#watch.check();
      this.#seen = await metadata(this.#options.reader.file);
      const outcome = await loadOverlay(this.#options.reader, this.#print, this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      this.#print = outcome.print;
      this.lastGood.offer(outcome);
    }
  }

  #reportDegraded(error: NodeJS.ErrnoException): void {
    const event: RouterEvent = {
      type: 'watch_degraded',
      code: error.code ?? 'unknown',
      message: error.message,
    };
    this.#options.emit(event);
  }
}

/** Changes whenever the file does, for all that `stat` can tell. */
async function metadata(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found ? [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ') : 'missing';
}

function startError(file: string, outcome: Exclude<LoadOutcome, ValidOutcome>): RouterStartError {
  if (outcome.kind === 'invalid') {
    const { issues } = outcome;
    const lines = issues.map(({ code, path, message }) => `  ${path || 'document'}: ${message} (${code})`);
    const message = `${file} is not a valid routing overlay:\n${lines.join('\n')}`;
    return new RouterStartError('overlay_rejected', { file, message, issues });
  }
  const reason = outcome.kind === 'unreadable' ? outcome.message : 'nothing was read';
  const message = `the router can't start without its routing overlay: ${reason}`;
  const cause = outcome.kind === 'unreadable' ? outcome.cause : undefined;
  return new RouterStartError('overlay_unreadable', { file, message, cause });
}
