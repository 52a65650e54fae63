/**
 * Every slot in which clients of AI services are known to put a secret, lower-case. A gateway that owns the next
 * hop's credential removes them all, whichever one it sets itself.
 */
export const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  'api-key',
  'authorization',
  'cookie',
  'ocp-apim-subscription-key',
  'proxy-authorization',
  'x-amz-security-token',
  'x-api-key',
  'x-auth-token',
  'x-goog-api-key',
  'xi-api-key',
]);
