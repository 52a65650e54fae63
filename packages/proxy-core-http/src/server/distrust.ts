// Hot path: runs once per request; a handful of comparisons for what nearly every request looks like.
import type { IncomingMessage } from 'node:http';

/** A host and perhaps a port: names, IPv4, bracketed IPv6 (RFC 3986 §3.2.2, without user information). */
const AUTHORITY = /^(?:[\w.\-~!$&'()*+;=%]+|\[[\da-fA-F:.]+\])(?::\d*)?$/;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

/**
 * Why a request that the parser let through cannot be trusted: two readers could take it differently, which is what
 * request smuggling lives on. Undefined for a request that is fine.
 *
 * Node's strict parser already refuses two framings, two or non-numeric lengths, folded lines, bare CR or LF, NUL and a
 * space before a colon. Left to do (RFC 9112 §3.2, §6.1): transfer codings besides `chunked`, any in HTTP/1.0, versions
 * other than 1.0 and 1.1, a missing, repeated or impossible `Host`, one that contradicts the target, and a fragment.
 *
 * @internal
 */
export function reasonForDistrust(incoming: IncomingMessage): string | undefined {
  const { headers, httpVersion, url = '' } = incoming;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return `HTTP version ${httpVersion}`;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    if (httpVersion === '1.0') return 'a transfer-encoding in HTTP/1.0';
    if (coding.toLowerCase() !== 'chunked') return 'a transfer-encoding other than chunked';
  }
  if (url.includes('#')) return 'a fragment in the request target';
  return distrustedHost(incoming, url);
}

function distrustedHost(incoming: IncomingMessage, url: string): string | undefined {
  const { host } = incoming.headers;
  // HTTP/1.0 had none.
  if (host === undefined) return incoming.httpVersion === '1.0' ? undefined : 'no host header';
  if (!AUTHORITY.test(host)) return 'a host header that is no host';
  if (hasTwoHosts(incoming.rawHeaders)) return 'two host headers';
  // 47 is "/": nearly every target.
  if (url.charCodeAt(0) === 47) return undefined;
  const authority = ABSOLUTE_FORM.exec(url)?.[1];
  if (authority === undefined) return undefined;
  return authority.toLowerCase() === host.toLowerCase()
    ? undefined
    : 'a host header that contradicts the request target';
}

function hasTwoHosts(raw: readonly string[]): boolean {
  let seen = false;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? '';
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (seen) return true;
    seen = true;
  }
  return false;
}
