export { BodyPieces, type HeldBody, joinedBody } from './body/body-pieces.ts';
export { ByteBudget } from './body/byte-budget.ts';
export { type CollectBodyOptions, type CollectBodyResult, collectBody } from './body/collect-body.ts';
export { type DiscardBodyOptions, discardBody } from './body/discard-body.ts';
export {
  type FailureReason,
  PROXY_HTTP_ERROR_CODES,
  ProxyHttpError,
  type ProxyHttpErrorCode,
} from './errors.ts';
export { forward } from './forward/forward.ts';
export type { ForwardOptions } from './forward/forward-options.ts';
export type { BrokenReason, ForwardOutcome } from './forward/outcome.ts';
export type { ForwardTimeouts } from './forward/timers.ts';
export { CREDENTIAL_HEADERS } from './headers/credential-headers.ts';
export { CREDENTIAL_PARAMETERS, withoutCredentialParameters } from './headers/credential-parameters.ts';
export { filterRequestHeaders, type RequestHeaderEdits } from './headers/filter-request-headers.ts';
export { filterResponseHeaders } from './headers/filter-response-headers.ts';
export { HOP_BY_HOP_HEADERS } from './headers/hop-by-hop.ts';
export { type ElementScan, scanArrayElements } from './scan/scan-array-elements.ts';
export { type FieldScan, scanMultipartFields } from './scan/scan-multipart-fields.ts';
export {
  type KeyScan,
  type MalformedBody,
  type ScannedValue,
  scanTopLevelKeys,
} from './scan/scan-top-level-keys.ts';
export { createHardenedServer } from './server/hardened-server.ts';
export type {
  ClientErrorBody,
  ClientErrorStatus,
  HardenedServerOptions,
  ServerTlsOptions,
} from './server/server-options.ts';
export { createUpstream } from './upstream/undici-upstream.ts';
export type {
  Upstream,
  UpstreamExchange,
  UpstreamFailure,
  UpstreamHandler,
  UpstreamHead,
  UpstreamRequest,
} from './upstream/upstream.ts';
export type { UpstreamOptions, UpstreamTlsOptions } from './upstream/upstream-options.ts';
