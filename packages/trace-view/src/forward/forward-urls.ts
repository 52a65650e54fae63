import { TraceViewError } from '../errors.ts';

/**
 * Checks the URLs of OTLP back ends. One without a path gets `/v1/traces`, as exporters do with a base URL.
 *
 * @throws {@link TraceViewError} `invalid_options`.
 */
export function resolveForwardUrls(urls: readonly string[] = []): string[] {
  return urls.map((text, index) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      throw new TraceViewError(
        'invalid_options',
        `forwardTo[${index}]: expected an http or https URL such as http://localhost:4318/v1/traces, found ${JSON.stringify(text)}`,
      );
    if (url.username !== '' || url.password !== '')
      throw new TraceViewError(
        'invalid_options',
        `forwardTo[${index}]: credentials in a URL end up in logs and on the page; leave them out`,
      );
    if (url.pathname === '/') url.pathname = '/v1/traces';
    return url.href;
  });
}
