/** What the fake does to one request instead of answering it as it should. */
export type ApiFault =
  /** Takes the request and never answers. */
  | 'hang'
  /** Cuts the connection without an answer. */
  | 'drop'
  | { readonly status: number; readonly retryAfterSeconds?: number };

/** Which requests. */
export type ApiVerb = 'list' | 'watch';

/** Faults for requests to come, each used once, in order. */
export class ApiFaults {
  readonly #pending: { readonly verb: ApiVerb; readonly fault: ApiFault }[] = [];

  add(verb: ApiVerb, fault: ApiFault): void {
    this.#pending.push({ verb, fault });
  }

  /** The next fault for a request of this kind, taken off the list. */
  take(verb: ApiVerb): ApiFault | undefined {
    const index = this.#pending.findIndex((entry) => entry.verb === verb);
    return index < 0 ? undefined : this.#pending.splice(index, 1)[0]?.fault;
  }
}
