import type { IncomingMessage } from 'node:http';

/** Names under which only this machine can be meant. A rebinding attack needs another name. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Who may talk to the server. */
export class Guard {
  readonly #hosts: ReadonlySet<string>;

  /** @param extraHosts host names besides the loopback ones, without port, in lower case. */
  constructor(extraHosts: readonly string[]) {
    this.#hosts = new Set([...LOOPBACK_NAMES, ...extraHosts]);
  }

  /**
   * Why a request must not be answered; undefined when it may. The Host header must be one of the known names (DNS
   * rebinding), and a request that names an Origin must come from this server's own pages (cross-site requests). What
   * has no Origin though a page of others sent it, such as an image, is known by its Sec-Fetch-Site: it could read
   * nothing, but hold all event streams open. Following a link to here is allowed.
   */
  objection({ headers }: IncomingMessage): string | undefined {
    const host = headers.host?.toLowerCase() ?? '';
    if (!this.#hosts.has(nameOf(host)))
      return `host ${JSON.stringify(host)} is not a name of this server; add it to allowedHosts if it is`;
    const { origin } = headers;
    if (origin !== undefined && !isOwnOrigin(origin, host))
      return `origin ${JSON.stringify(origin)} is another one than http://${host}: pages of others may not ask here`;
    if (isForeignFetch(headers))
      return `sec-fetch-site "${headers['sec-fetch-site']}": pages of others may link here, but not load from here`;
    return undefined;
  }
}

function isForeignFetch(headers: IncomingMessage['headers']): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document';
}

/** Whether an Origin header is that of the pages served at this Host. */
export function isOwnOrigin(origin: string | undefined, host: string): boolean {
  return origin?.toLowerCase() === `http://${host.toLowerCase()}`;
}

/** `127.0.0.1:8080` -> `127.0.0.1`, `[::1]:8080` -> `[::1]`. */
function nameOf(host: string): string {
  return host.replace(/:\d{1,5}$/, '');
}
