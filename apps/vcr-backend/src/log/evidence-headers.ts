import type { IncomingHttpHeaders } from 'node:http';

/** Longest header value that is copied into a log line, in characters. */
const VALUE_CHARS_MAX = 256;

/** What a provider gateway tells its backend about a request; evidence only, never trusted for anything. */
export interface EvidenceHeaders {
  readonly providerRequestId: string | null;
  readonly attribution: string | null;
  readonly routingRevision: string | null;
}

/** Reads the three evidence headers of a request. */
export function evidenceHeaders(headers: IncomingHttpHeaders): EvidenceHeaders {
  return {
    providerRequestId: headerText(headers, 'x-ai-provider-request-id'),
    attribution: headerText(headers, 'x-ai-provider-attribution'),
    routingRevision: headerText(headers, 'x-ai-provider-routing-revision'),
  };
}

function headerText(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value.slice(0, VALUE_CHARS_MAX) : null;
}
