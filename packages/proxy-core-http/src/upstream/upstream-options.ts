import { ProxyHttpError } from '../errors.ts';

/** TLS settings towards one upstream; PEM text or bytes. */
export interface UpstreamTlsOptions {
  /** Authorities that may sign the upstream's certificate. Default: Node's bundled list. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  /** Certificate presented to the upstream (mutual TLS). */
  readonly cert?: string | Buffer;
  /** Private key of {@link UpstreamTlsOptions.cert}. */
  readonly key?: string | Buffer;
  /** Name that the upstream's certificate must carry. Default: the host of the origin. */
  readonly servername?: string;
}

/** Options of {@link createUpstream}. */
export interface UpstreamOptions {
  /** `http://host:port` or `https://host:port`, without a path. */
  readonly origin: string;
  /** Most connections at once; further requests wait. Default: no limit, so that long streams block nobody. */
  readonly connections?: number;
  /** Longest time for TCP and TLS to come up, in milliseconds. Default 2000. */
  readonly connectMs?: number;
  /**
   * Longest time an idle connection is kept, in milliseconds. Default 4000: below the 5 s after which common model
   * servers close theirs. A shorter `Keep-Alive: timeout=` hint of the upstream wins.
   */
  readonly keepAliveMs?: number;
  /** Largest response head in bytes. Default 65536. */
  readonly maxHeaderBytes?: number;
  /** Only for `https:` origins. */
  readonly tls?: UpstreamTlsOptions;
}

/** {@link UpstreamOptions} with every default filled in. */
export interface ResolvedUpstreamOptions {
  readonly origin: string;
  readonly connections: number | null;
  readonly connectMs: number;
  readonly keepAliveMs: number;
  readonly maxHeaderBytes: number;
  readonly tls: UpstreamTlsOptions;
}

/** Below common model servers' 5 s idle close; above it nearly every pause would lose the race. */
const KEEP_ALIVE_MS = 4000;
const CONNECT_MS = 2000;
const MAX_HEADER_BYTES = 65_536;

/**
 * Fills in defaults and refuses what cannot work.
 *
 * @throws {@link ProxyHttpError} `invalid_options` naming the option, what was found and what is expected.
 * @internal
 */
export function resolveUpstreamOptions(options: UpstreamOptions): ResolvedUpstreamOptions {
  return {
    origin: parseOrigin(options.origin),
    connections:
      options.connections === undefined ? null : positiveInteger('connections', options.connections),
    connectMs: positiveInteger('connectMs', options.connectMs ?? CONNECT_MS),
    keepAliveMs: positiveInteger('keepAliveMs', options.keepAliveMs ?? KEEP_ALIVE_MS),
    maxHeaderBytes: positiveInteger('maxHeaderBytes', options.maxHeaderBytes ?? MAX_HEADER_BYTES),
    tls: options.tls ?? {},
  };
}

function parseOrigin(text: string): string {
  const expected = 'expected http://host:port or https://host:port';
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new ProxyHttpError('invalid_options', `origin: found ${JSON.stringify(text)}, ${expected}`, {
      cause,
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ProxyHttpError('invalid_options', `origin: found scheme ${url.protocol}, ${expected}`);
  }
  if (
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw new ProxyHttpError(
      'invalid_options',
      `origin: path, query, fragment and credentials are not part of an origin, ${expected}`,
    );
  }
  return url.origin;
}

function positiveInteger(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ProxyHttpError('invalid_options', `${name}: found ${value}, expected an integer above 0`);
}
