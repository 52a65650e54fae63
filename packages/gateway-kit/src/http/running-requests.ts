/** Counts requests from their head to the end of all that is done for them, which may be later than their last byte. */
export class RunningRequests {
  #count = 0;
  #waiting: (() => void)[] = [];

  /** @param request what is done for one request; must not reject */
  add(request: Promise<void>): void {
    this.#count += 1;
    void request.then(() => {
      this.#count -= 1;
      if (this.#count > 0) return;
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }

  /** Resolves when none runs. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#count === 0) resolve();
      else this.#waiting.push(resolve);
    });
  }
}
