import { ProxyHttpError } from '../errors.ts';
import { systemMonotonicMs } from './system-clock.ts';

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
  /**
   * A request lost on a connection that had served before is sent once more only when it was lost within this time
   * after it was written, in milliseconds; 0 = never. Default 1000: a close that crossed the request on its way shows
   * after one round trip, while a server that falls silent and then dies may have done the work.
   */
  readonly resendMs?: number;
  /** Largest response head in bytes. Default 65536. */
  readonly maxHeaderBytes?: number;
  /** A clock that only goes forward, in milliseconds. Default: the system's. */
  readonly monotonicMs?: () => number;
  /** Only for `https:` origins. */
  readonly tls?: UpstreamTlsOptions;
}

/** {@link UpstreamOptions} with every default filled in. */
export interface ResolvedUpstreamOptions {
  readonly origin: string;
  readonly connections: number | null;
  readonly connectMs: number;
  readonly keepAliveMs: number;
  readonly resendMs: number;
  readonly maxHeaderBytes: number;
  readonly monotonicMs: () => number;
  readonly tls: UpstreamTlsOptions;
}

/** Below common model servers' 5 s idle close; above it nearly every pause would lose the race. */
const KEEP_ALIVE_MS = 4000;
const CONNECT_MS = 2000;
const RESEND_MS = 1000;
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
    resendMs: integerFrom(0, 'resendMs', options.resendMs ?? RESEND_MS),
    maxHeaderBytes: positiveInteger('maxHeaderBytes', options.maxHeaderBytes ?? MAX_HEADER_BYTES),
    monotonicMs: options.monotonicMs ?? systemMonotonicMs,
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
  return integerFrom(1, name, value);
}

function integerFrom(least: 0 | 1, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  const expected = least === 0 ? 'an integer of at least 0' : 'an integer above 0';
  throw new ProxyHttpError('invalid_options', `${name}: found ${value}, expected ${expected}`);
}
