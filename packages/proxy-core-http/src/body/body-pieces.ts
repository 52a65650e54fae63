/**
 * A body in memory, in the pieces in which it came: to join them would cost a large body more than all else that is done
 * with it.
 */
export class BodyPieces {
  /** None is empty. */
  readonly pieces: readonly Buffer[];
  /** Bytes of all pieces. */
  readonly length: number;

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces.filter((piece) => piece.length > 0);
    this.length = this.pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** These bytes in one Buffer, which is a copy when they lie in several pieces. */
  subarray(start: number, end: number): Buffer {
    const parts: Buffer[] = [];
    let before = 0;
    for (const piece of this.pieces) {
      if (before >= end) break;
      if (before + piece.length > start) {
        parts.push(piece.subarray(Math.max(0, start - before), Math.min(piece.length, end - before)));
      }
      before += piece.length;
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }
}

/** A body in memory. Both kinds have a `length` and a `subarray`. */
export type HeldBody = Buffer | BodyPieces;

/** The whole body in one Buffer, for who cannot do with less; pieces are copied. */
export function joinedBody(body: HeldBody): Buffer {
  return Buffer.isBuffer(body) ? body : body.subarray(0, body.length);
}

/** Whether a body is held in memory, and can be sent a second time, or a stream. */
export function isHeld(body: object): body is HeldBody {
  return Buffer.isBuffer(body) || body instanceof BodyPieces;
}
