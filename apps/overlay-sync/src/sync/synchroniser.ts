import type { Overlay } from '@switchyard/overlay-contract';
import type { OutputFile } from '../output/output-file.ts';
import type { SourceEvent } from '../source/source.ts';
import type { SyncObserver } from './events.ts';
import type { Judge } from './judge.ts';

/** What a synchroniser works with. */
export interface SynchroniserOptions {
  readonly judge: Judge;
  readonly output: Pick<OutputFile, 'want' | 'look'>;
  readonly observe: SyncObserver;
}

/**
 * Decides what becomes of each thing the source tells. Only a valid document ever reaches the output; whatever else
 * comes, the last valid one stays what the output shall hold.
 *
 * A document with the same revision but other bytes (new provenance or times, other whitespace) is written, so that the
 * file is always the source's, byte for byte; it counts as `unchanged`, since no route changes.
 */
export class Synchroniser {
  readonly #options: SynchroniserOptions;
  #held: { readonly bytes: Uint8Array; readonly overlay: Overlay } | undefined;

  constructor(options: SynchroniserOptions) {
    this.#options = options;
  }

  /** Takes over what a process before this one left in the output file, if it is valid. */
  adopt(bytes: Uint8Array): void {
    const result = this.#options.judge(bytes);
    if (!result.ok) return;
    this.#hold(bytes, result.overlay);
    this.#options.observe({ type: 'found_output', overlay: result.overlay, size: bytes.byteLength });
  }

  /** Takes what the source tells. */
  handle(event: SourceEvent): void {
    if (event.type === 'document') this.#offer(event.bytes);
    else this.#options.observe(event);
  }

  #offer(bytes: Uint8Array): void {
    const { observe, output } = this.#options;
    const size = bytes.byteLength;
    const held = this.#held;
    if (held !== undefined && Buffer.compare(held.bytes, bytes) === 0) {
      observe({ type: 'unchanged', reason: 'same_bytes', overlay: held.overlay, size });
      // Nothing new to write, but good cause to see whether it is still there.
      void output.look();
      return;
    }
    const result = this.#options.judge(bytes);
    if (!result.ok) {
      const code = result.issues[0]?.code ?? 'malformed_structure';
      observe({ type: 'rejected', code, issues: result.issues, size });
      return;
    }
    const { overlay } = result;
    if (held?.overlay.revision === overlay.revision) {
      observe({ type: 'unchanged', reason: 'same_revision', overlay, size });
    } else {
      observe({ type: 'accepted', overlay, size });
    }
    this.#hold(bytes, overlay);
  }

  #hold(bytes: Uint8Array, overlay: Overlay): void {
    this.#held = { bytes, overlay };
    this.#options.output.want({ bytes, revision: overlay.revision });
  }
}
