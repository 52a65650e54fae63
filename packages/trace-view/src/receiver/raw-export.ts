/** An export as it came over the wire, for passing on. */
export interface RawExport {
  readonly contentType: string;
  readonly gzip: boolean;
  readonly body: Buffer;
}
