/** One endpoint as the caller describes it. */
export interface EndpointInput<M = unknown> {
  /** Identity that survives updates; state is carried by it. Default: `address`. Not blank. */
  readonly id?: string;
  /** Where to connect, for example an origin. Opaque here. Not blank. */
  readonly address: string;
  /** Share of the traffic relative to the others: an integer from 0 to 1,000,000. Default 1; 0 means drained. */
  readonly weight?: number;
  /** Whatever the caller wants back with a pick. Never read, copied or changed here. */
  readonly metadata?: M;
}

/** One accepted endpoint; immutable. */
export interface Endpoint<M = unknown> {
  readonly id: string;
  readonly address: string;
  /** 0 means drained: it gets no new request. */
  readonly weight: number;
  readonly metadata: M | undefined;
}

/** One endpoint with what the cluster counts for it. */
export interface EndpointSnapshot<M = unknown> extends Endpoint<M> {
  /** Leases handed out and not yet released. Never negative. */
  readonly activeRequests: number;
  /** Released leases by outcome, since the endpoint's id is known. */
  readonly outcomes: Readonly<Record<LeaseOutcome, number>>;
  /** Calls of `release()` on a lease that was already released. */
  readonly ignoredReleases: number;
}

/** How a leased request ended. */
export type LeaseOutcome = 'success' | 'failure' | 'canceled';
