/** Every query parameter in which clients of AI services are known to put a secret, lower-case. */
export const CREDENTIAL_PARAMETERS: ReadonlySet<string> = new Set([
  'access_token',
  'api-key',
  'api_key',
  'apikey',
  'auth_token',
  // Google's APIs, also their OpenAI-shaped ones.
  'key',
  'subscription-key',
  'x-amz-security-token',
  'x-amz-signature',
]);

/**
 * A request target without the parameters that carry credentials, see {@link CREDENTIAL_PARAMETERS}. All others stay byte
 * for byte; a target that has none is returned as it is.
 */
export function withoutCredentialParameters(target: string): string {
  const mark = target.indexOf('?');
  if (mark === -1) return target;
  const pairs = target.slice(mark + 1).split('&');
  const kept = pairs.filter((pair) => !CREDENTIAL_PARAMETERS.has(nameOf(pair)));
  if (kept.length === pairs.length) return target;
  const path = target.slice(0, mark);
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}
