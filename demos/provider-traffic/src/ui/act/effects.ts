import { setTimeout as sleep } from 'node:timers/promises';
import type { OverlayEntry } from '@switchyard/trace-view';
import type { LiveRun } from '../show/live-run.ts';

/** How long an effect may take to reach the gateway, in milliseconds. */
const EFFECT_TIMEOUT_MS = 20_000;
const POLL_MS = 100;

/** Waits for what was caused: an action is over when the gateway shows it. */
export class Effects {
  readonly #live: LiveRun;
  readonly #signal: AbortSignal;

  constructor(live: LiveRun, signal: AbortSignal) {
    this.#live = live;
    this.#signal = signal;
  }

  /** The next overlay that the gateway accepts and for which `holds` is true. Ask before causing it. */
  accepted(holds: (entry: OverlayEntry) => boolean): Promise<OverlayEntry> {
    return this.told((entry) => entry.outcome === 'accepted' && holds(entry));
  }

  /** The next thing that the gateway says of an overlay and for which `holds` is true. Ask before causing it. */
  told(holds: (entry: OverlayEntry) => boolean): Promise<OverlayEntry> {
    const told = new Promise<OverlayEntry>((resolve, reject) => {
      const ended = this.#live.onOverlay((entry) => {
        if (!holds(entry)) return;
        clearTimeout(timer);
        ended();
        resolve(entry);
      });
      const timer = setTimeout(() => {
        ended();
        reject(new Error(`the gateway has said nothing of it for ${EFFECT_TIMEOUT_MS} ms`));
      }, EFFECT_TIMEOUT_MS);
      // The demo may end before the effect comes.
      timer.unref();
    });
    // Awaited later: until then a rejection is nobody's surprise.
    told.catch(() => undefined);
    return told;
  }

  /**
   * Asks again and again until `holds`.
   *
   * @throws Error naming `what` when it takes too long.
   */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (let waitedMs = 0; waitedMs < EFFECT_TIMEOUT_MS; waitedMs += POLL_MS) {
      if (await holds()) return;
      await sleep(POLL_MS, undefined, { signal: this.#signal });
    }
    throw new Error(`waited ${EFFECT_TIMEOUT_MS} ms for ${what}`);
  }
}
