/** Gives turns to the entries of one pool, each its weight per revolution. */
export interface Rotation {
  /** Index of the entry whose turn it is, and moves on. The pool must not be empty. */
  next(): number;
  /** The same, passing over excluded entries' turns; -1, and no move, when all are excluded. */
  nextExcept(excluded: ReadonlySet<string>): number;
  /** Where it stands, in words that hold for another pool. */
  place(): Place;
}

/** Where a rotation stands. */
export type Place =
  /** No turn was taken yet: the configured start, in turns. */
  | { readonly kind: 'start'; readonly offset: number }
  /** In the middle of things. */
  | {
      readonly kind: 'turn';
      /** Whose turn is next, where turns simply go round. */
      readonly nextId: string | undefined;
      /** Turns each id deserved so far minus turns it got: what it is owed, below zero when it is ahead. */
      readonly owed: ReadonlyMap<string, number>;
    };
