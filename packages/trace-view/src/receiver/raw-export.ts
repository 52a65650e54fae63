/** Set on exports that a view passes on; it keeps views that name one another from sending in a circle. */
export const PASSED_ON_HEADER = 'x-switchyard-passed-on';

/** An export as it came over the wire, for passing on. */
export interface RawExport {
  readonly contentType: string;
  readonly gzip: boolean;
  readonly body: Buffer;
  /** Whether another view has passed it on already. */
  readonly passedOn: boolean;
}
