import type { OverlayProvenance } from '@switchyard/overlay-contract';

/** A step back in the generations of one source. */
export interface Rollback {
  readonly sourceGeneration: number;
  readonly previousGeneration: number;
}

/** More than a few sources write to one file by mistake only; how many is then no reason to remember them all. */
const SOURCES_MAX = 16;

/**
 * The generation that was last served of each source. Sources are not comparable with one another, but two that take
 * turns on one file must not make each other's steps back invisible.
 */
export class ServedGenerations {
  /** By the uid of the source, the one served last at the end. */
  readonly #last = new Map<string, number>();

  /** @param before - Of an overlay that was served before this process. */
  constructor(before?: OverlayProvenance) {
    this.served(before);
  }

  /** Remembers what is served now. A legacy overlay has no provenance, and leaves everything as it is. */
  served(provenance: OverlayProvenance | undefined): void {
    if (provenance === undefined) return;
    const { sourceUid, sourceGeneration } = provenance;
    this.#last.delete(sourceUid);
    this.#last.set(sourceUid, sourceGeneration);
    for (const oldest of this.#last.keys()) {
      if (this.#last.size <= SOURCES_MAX) break;
      this.#last.delete(oldest);
    }
  }

  /** Whether `offered` is an older generation than the one last served of its source. */
  rollbackTo(offered: OverlayProvenance | undefined): Rollback | undefined {
    if (offered === undefined) return undefined;
    const { sourceGeneration } = offered;
    const previousGeneration = this.#last.get(offered.sourceUid);
    if (previousGeneration === undefined || sourceGeneration >= previousGeneration) return undefined;
    return { sourceGeneration, previousGeneration };
  }
}
