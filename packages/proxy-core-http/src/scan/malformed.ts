/**
 * Thrown inside the scanners only, never out of it.
 *
 * @internal
 */
export class Malformed extends Error {
  readonly offset: number;

  constructor(offset: number, expected: string) {
    super(`expected ${expected}`);
    this.offset = offset;
  }
}
