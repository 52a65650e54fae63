/**
 * Every slot in which clients of AI services are known to put a secret, lower-case. A gateway that owns the next
 * hop's credential removes them all, whichever one it sets itself.
 */
export const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  'anthropic-api-key',
  'api-key',
  'authorization',
  'cf-aig-authorization',
  'cookie',
  'cookie2',
  'helicone-auth',
  'ocp-apim-subscription-key',
  'proxy-authorization',
  'x-access-token',
  'x-amz-security-token',
  'x-api-key',
  'x-auth-token',
  'x-forwarded-access-token',
  'x-goog-api-key',
  'x-goog-iam-authorization-token',
  'x-litellm-api-key',
  'x-portkey-api-key',
  'x-serverless-authorization',
  'xi-api-key',
]);
