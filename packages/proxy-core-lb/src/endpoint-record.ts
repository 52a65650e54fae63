import type { Endpoint, EndpointSnapshot, LeaseOutcome } from './endpoint.ts';

/** What is counted under one id. It outlives updates, and a departed endpoint until its last lease is released. */
export class EndpointRecord<M> {
  readonly id: string;
  endpoint: Endpoint<M>;
  active = 0;
  success = 0;
  failure = 0;
  canceled = 0;
  ignoredReleases = 0;

  constructor(endpoint: Endpoint<M>) {
    this.id = endpoint.id;
    this.endpoint = endpoint;
  }

  /** One lease less; `active` cannot pass zero because a lease calls this once. */
  finish(outcome: LeaseOutcome): void {
    this.active--;
    this[outcome]++;
  }

  snapshot(): EndpointSnapshot<M> {
    const { success, failure, canceled } = this;
    return {
      ...this.endpoint,
      activeRequests: this.active,
      outcomes: { success, failure, canceled },
      ignoredReleases: this.ignoredReleases,
    };
  }
}
