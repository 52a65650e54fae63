/** Headers a consumer gateway adds for the provider gateway. Evidence only: the trust is mutual TLS. */
export const HOP_HEADERS: {
  readonly candidate: 'x-ai-routing-candidate';
  readonly requestId: 'x-ai-routing-request-id';
  readonly revision: 'x-ai-routing-revision';
} = Object.freeze({
  candidate: 'x-ai-routing-candidate',
  requestId: 'x-ai-routing-request-id',
  revision: 'x-ai-routing-revision',
});

/** Headers a provider gateway sets for its backend, after it stripped the hop headers. */
export const ATTRIBUTION_HEADERS: {
  readonly attribution: 'x-ai-provider-attribution';
  readonly requestId: 'x-ai-provider-request-id';
  readonly revision: 'x-ai-provider-routing-revision';
} = Object.freeze({
  attribution: 'x-ai-provider-attribution',
  requestId: 'x-ai-provider-request-id',
  revision: 'x-ai-provider-routing-revision',
});
