import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Judge, type JudgeHooks } from '../judge/judge.ts';
import type { ResolvedOverlay } from '../options/resolve-overlay.ts';
import type { LastGoodFileView, RouterStatus } from '../views.ts';
import { createDebounce, type Debounce } from './debounce.ts';
import { LastGood, type LastGoodOptions } from './last-good.ts';
import { LastGoodFile } from './last-good-file.ts';
import { isUndecided, type LoadOutcome, loadOverlay, type OverlayReader } from './load-overlay.ts';
import { isMountPoint } from './mount-point.ts';
import { AgeAlarm } from './snapshot-age.ts';
import { type FirstReadings, readFirst, serveFirst } from './start.ts';
import { DirectoryWatch, type OpenWatcher } from './watch-directory.ts';

/** What an overlay source is made of. */
export interface OverlaySourceOptions
  extends Pick<LastGoodOptions, 'clock' | 'prepare' | 'emit'>,
    Pick<ResolvedOverlay, 'file' | 'parse' | 'reload'> {}

/** Ways in for tests and measurements. */
export interface OverlaySourceHooks extends JudgeHooks {
  /** Runs between the first reading and the watch: what is written here must not be missed. */
  readonly beforeArm?: () => Promise<void>;
  readonly openWatcher?: OpenWatcher;
}

/** A burst of writes, however long, keeps a change waiting no longer than this or ten times the debounce. */
const DEBOUNCE_CAP_MS = 1000;

/**
 * Keeps the last good overlay in step with its file. Level-triggered: a hint, whatever it was about, means "look again",
 * and looking is cheap, because equal bytes end it. Events give speed; polling gives certainty.
 */
export class OverlaySource {
  readonly lastGood: LastGood;
  readonly #options: OverlaySourceOptions;
  readonly #reader: OverlayReader;
  readonly #watch: DirectoryWatch;
  readonly #debounce: Debounce;
  readonly #keeper: LastGoodFile | undefined;
  readonly #alarm: AgeAlarm | undefined;
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
   * @throws {@link RouterStartError} when there is no valid overlay to start with, and the options want one.
   * @throws {@link RouterOptionsError} when the last-good file is the overlay file.
   */
  static async start(options: OverlaySourceOptions, hooks: OverlaySourceHooks = {}): Promise<OverlaySource> {
    const { file, parse, reload, emit, clock } = options;
    const onWorkerFailed = ({ message }: Error): void => emit({ type: 'worker_failed', message });
    const keepBytes = reload.lastGoodFile !== undefined;
    const judge = new Judge({ parse, keepBytes, clock, onWorkerFailed }, hooks);
    const reader = { file, judge };
    try {
      const { signal } = new AbortController();
      const readings = await readFirst(reader, reload.lastGoodFile, signal);
      const source = new OverlaySource(options, { reader, readings }, hooks.openWatcher);
      await serveFirst(source.lastGood, readings, { policy: reload, file, signal });
      source.#settled(readings.source);
      if (reload.enabled) {
        if (await isMountPoint(file)) emit({ type: 'static_mount', file });
        await hooks.beforeArm?.();
        await source.#begin();
      } else await judge.close();
      return source;
    } catch (error) {
      await judge.close();
      throw error;
    }
  }

  private constructor(
    options: OverlaySourceOptions,
    { reader, readings }: { readonly reader: OverlayReader; readonly readings: FirstReadings },
    openWatcher?: OpenWatcher,
  ) {
    const { clock, emit, reload, file } = options;
    const { debounceMs, lastGoodFile, maxAgeMs, rollback } = reload;
    const copy = readings.copy?.kind === 'valid' ? readings.copy : undefined;
    this.lastGood = new LastGood({ ...options, rollback }, copy?.overlay.provenance);
    this.#options = options;
    this.#reader = reader;
    this.#print = readings.source.print;
    const delayMaxMs = Math.max(debounceMs, Math.min(debounceMs * 10, DEBOUNCE_CAP_MS));
    this.#debounce = createDebounce({ delayMs: debounceMs, delayMaxMs }, () => void this.#look());
    this.#watch = new DirectoryWatch(
      dirname(file),
      { hint: () => this.#debounce.trigger(), degraded: (error) => this.#reportDegraded(error) },
      openWatcher,
    );
    if (lastGoodFile !== undefined) {
      const onFailed = (message: string): void =>
        emit({ type: 'last_good_unsaved', file: lastGoodFile, message });
      this.#keeper = new LastGoodFile({ file: lastGoodFile, clock, onFailed }, copy?.print);
    }
    if (maxAgeMs !== undefined) {
      this.#alarm = new AgeAlarm({ clock, maxAgeMs, onExpired: (ageMs) => this.#reportExpired(ageMs) });
    }
  }

  get watching(): RouterStatus['watch'] {
    if (this.#poll === undefined) return 'off';
    return this.#watch.armed ? 'events+poll' : 'poll';
  }

  get lastGoodFile(): LastGoodFileView | null {
    return this.#keeper?.view ?? null;
  }

  /** Stops watching. What is being read is not served any more. */
  async close(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#poll);
    this.#poll = undefined;
    this.#alarm?.close();
    this.#debounce.cancel();
    await this.#watch.close();
    await this.#reader.judge.close();
    await this.#running;
    this.#debounce.cancel();
    await this.#keeper?.close();
  }

  /** The reading that follows arming closes the gap since the first one. */
  async #begin(): Promise<void> {
    await this.#look();
    this.#poll = setInterval(() => void this.#pollOnce(), this.#options.reload.pollMs);
    this.#poll.unref();
  }

  async #pollOnce(): Promise<void> {
    await this.#watch.check();
    if ((await metadata(this.#reader.file)) !== this.#seen) await this.#look();
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
    const { signal } = this.#stop;
    while (this.#dirty && !signal.aborted) {
      this.#dirty = false;
      await this.#watch.check();
      this.#seen = await metadata(this.#reader.file);
      try {
        const outcome = await loadOverlay(this.#reader, this.#print, signal);
        if (signal.aborted) return;
        this.#print = outcome.print;
        // The next poll shall not take it for known.
        if (isUndecided(outcome)) this.#seen = '';
        await this.lastGood.offer(outcome, signal);
        this.#settled(outcome);
      } catch (error) {
        // Nobody awaits this: a defect would end the process, and with it the requests that don't need a new overlay.
        if (!signal.aborted) this.lastGood.failed(error);
      }
    }
  }

  /** What is served is kept for the next start and watched for its age. */
  #settled(outcome: LoadOutcome): void {
    const { served } = this.lastGood;
    if (served === undefined) return;
    // Not what was refused: not even when it routes like what is served, being of an older generation.
    if (outcome.kind === 'valid' && outcome.bytes !== undefined && outcome.overlay === served.overlay) {
      this.#keeper?.keep({ bytes: outcome.bytes, print: outcome.print });
    }
    if (!this.#stop.signal.aborted) this.#alarm?.watch(served);
  }

  #reportDegraded(error: NodeJS.ErrnoException): void {
    const code = error.code ?? 'unknown';
    this.#options.emit({ type: 'watch_degraded', code, message: error.message });
  }

  #reportExpired(ageMs: number): void {
    const revision = this.lastGood.served?.overlay.revision ?? '';
    const { maxAgeMs = 0 } = this.#options.reload;
    this.#options.emit({
      type: 'expired',
      revision,
      ageSeconds: ageMs / 1000,
      maxAgeSeconds: maxAgeMs / 1000,
    });
  }
}

/** Changes whenever the file does, for all that `stat` can tell. */
async function metadata(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found ? [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ') : 'missing';
}
