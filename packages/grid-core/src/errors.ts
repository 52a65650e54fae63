/** The closed list of codes of {@link GridCoreError}. */
export const GRID_CORE_ERROR_CODES = ['invalid_duration', 'invalid_input'] as const;

/** One of {@link GRID_CORE_ERROR_CODES}. */
export type GridCoreErrorCode = (typeof GRID_CORE_ERROR_CODES)[number];

/**
 * A call that can't be answered: a mistake of the calling program. Mistakes of people who write manifests are never
 * thrown; they come back as `ManifestIssue` and `RenderFailure` values.
 */
export class GridCoreError extends Error {
  override readonly name = 'GridCoreError';
  readonly code: GridCoreErrorCode;

  constructor(code: GridCoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
