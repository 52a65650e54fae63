import type { OverlayProvenance } from '@switchyard/overlay-contract';

/** A step back in the generations of one source. */
export interface Rollback {
  readonly sourceGeneration: number;
  readonly previousGeneration: number;
}

/** Whether `offered` is an older generation of the source that `known` came from. Other sources are not comparable. */
export function isRollback(
  offered: OverlayProvenance | undefined,
  known: OverlayProvenance | undefined,
): Rollback | undefined {
  if (offered === undefined || known === undefined || offered.sourceUid !== known.sourceUid) return undefined;
  const { sourceGeneration } = offered;
  const previousGeneration = known.sourceGeneration;
  return sourceGeneration < previousGeneration ? { sourceGeneration, previousGeneration } : undefined;
}
