import { readFileSync } from 'node:fs';

/** A TLS file of the configuration that could not be read. */
export class TlsFileError extends Error {
  override readonly name = 'TlsFileError';
  /** Path inside the configuration, such as `clusters[0].tls.ca`. */
  readonly path: string;

  constructor(path: string, file: string, cause: unknown) {
    super(`cannot read "${file}": ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.path = path;
  }
}

/** Which file is read, for what. */
export interface TlsFile {
  /** As written in the configuration. */
  readonly file: string;
  /** Path inside the configuration. */
  readonly path: string;
  /** Makes a path of the configuration absolute. */
  resolvePath(path: string): string;
}

/**
 * Reads a PEM file.
 *
 * @throws {@link TlsFileError}
 */
export function readTlsFile({ file, path, resolvePath }: TlsFile): string {
  try {
    return readFileSync(resolvePath(file), 'utf8');
  } catch (error) {
    throw new TlsFileError(path, file, error);
  }
}
