import { TraceViewError } from '../errors.ts';

const PLACEHOLDER = '{traceId}';
const EXAMPLE_ID = '0'.repeat(32);

/**
 * Checks the template of links to another trace viewer: an http or https URL with `{traceId}` in its path, query or
 * fragment.
 *
 * @throws {@link TraceViewError} `invalid_options`.
 */
export function resolveTraceUrl(template: string): string {
  const filled = template.split(PLACEHOLDER).join(EXAMPLE_ID);
  const url = URL.canParse(filled) ? new URL(filled) : undefined;
  const fault = faultOf(template, url);
  if (fault === undefined) return template;
  throw new TraceViewError(
    'invalid_options',
    `traceUrl: ${fault}; expected a URL such as http://localhost:16686/trace/{traceId}, found ${JSON.stringify(template)}`,
  );
}

function faultOf(template: string, url: URL | undefined): string | undefined {
  if (url === undefined) return 'not a URL';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'not an http or https URL';
  if (url.username !== '' || url.password !== '') return 'credentials in it would be shown to everybody';
  if (!template.includes(PLACEHOLDER)) return `no ${PLACEHOLDER} in it`;
  if (url.host.includes(EXAMPLE_ID)) return `${PLACEHOLDER} stands in its host`;
  return undefined;
}
