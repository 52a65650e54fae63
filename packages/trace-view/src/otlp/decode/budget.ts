import { OtlpError } from '../otlp-error.ts';

/** Attribute values nested deeper than this are refused: protects the stack. */
const MAX_VALUE_DEPTH = 16;

/**
 * How many values one export may still make. A body of a few bytes per value would otherwise become many times its
 * size in memory. Spans, attributes, events, links and elements count one each.
 */
export class Budget {
  readonly #limit: number;
  #left: number;

  constructor(maxValues: number) {
    this.#limit = maxValues;
    this.#left = maxValues;
  }

  /** @throws {@link OtlpError} `too_large` when nothing is left. */
  spend(): void {
    this.#left -= 1;
    if (this.#left < 0)
      throw new OtlpError(
        'too_large',
        `more than ${this.#limit} spans, attributes and elements in one export; send smaller batches`,
      );
  }
}

/** @throws {@link OtlpError} `malformed` when a value is nested too deep. */
export function checkDepth(depth: number): void {
  if (depth > MAX_VALUE_DEPTH)
    throw new OtlpError('malformed', `attribute values are nested more than ${MAX_VALUE_DEPTH} deep`);
}
