// Hot path: one object per pick.
import type { Endpoint, LeaseOutcome } from './endpoint.ts';
import type { EndpointRecord } from './endpoint-record.ts';

/** The right to send one request to one endpoint; counted as active until released. */
export interface Lease<M = unknown> {
  readonly endpoint: Endpoint<M>;
  /**
   * Ends the request; call it when the last byte has passed, or when the request failed.
   * Only the first call counts; later ones are ignored and counted in `ignoredReleases`.
   *
   * @param outcome - default `success`.
   */
  release(outcome?: LeaseOutcome): void;
}

/** Why there is no endpoint. */
export type NoPickReason = 'no_endpoints' | 'all_drained' | 'all_excluded';

/** Answer of a pick. */
export type PickResult<M = unknown> =
  | { readonly kind: 'picked'; readonly lease: Lease<M> }
  | { readonly kind: 'none'; readonly reason: NoPickReason };

/** A lease that is also its own pick result, so that a pick allocates one object and not two. */
export class PickedLease<M> implements Lease<M> {
  readonly kind = 'picked';
  readonly endpoint: Endpoint<M>;
  readonly #record: EndpointRecord<M>;
  #released = false;

  constructor(record: EndpointRecord<M>) {
    this.endpoint = record.endpoint;
    this.#record = record;
    record.active++;
  }

  get lease(): Lease<M> {
    return this;
  }

  release(outcome: LeaseOutcome = 'success'): void {
    if (this.#released) {
      this.#record.ignoredReleases++;
      return;
    }
    this.#released = true;
    this.#record.finish(outcome);
  }
}
