/** Writes times as `Date.toISOString` does; of times in the same second only the milliseconds are made anew. */
export class IsoTime {
  #second = Number.NaN;
  /** Up to the decimal point. */
  #text = '';

  /** @param ms - Epoch milliseconds, whole ones. */
  of(ms: number): string {
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = new Date(ms).toISOString().slice(0, -4);
    }
    const rest = ms - second * 1000;
    const zeros = rest < 10 ? '00' : rest < 100 ? '0' : '';
    return `${this.#text}${zeros}${rest}Z`;
  }
}
