import type { RequestListener } from 'node:http';
import type { ServerOptions as HttpsServerOptions } from 'node:https';
import { ProxyHttpError } from '../errors.ts';

/** The TLS settings of a server, as `node:https` takes them. */
export type ServerTlsOptions = Pick<
  HttpsServerOptions,
  | 'ca'
  | 'cert'
  | 'key'
  | 'passphrase'
  | 'requestCert'
  | 'rejectUnauthorized'
  | 'minVersion'
  | 'ciphers'
  | 'crl'
>;

/** What the server answers by itself: unreadable or not to be trusted, too slow, expecting what is not done, too much on one connection, too large a head. */
export type ClientErrorStatus = 400 | 408 | 417 | 429 | 431;

/** Body of the answer to a request that could not be read as HTTP. */
export interface ClientErrorBody {
  readonly contentType: string;
  readonly body: string;
}

/** Options of {@link createHardenedServer}. */
export interface HardenedServerOptions {
  /** Called for every well-formed request. */
  readonly onRequest: RequestListener;
  /** Present: HTTPS. Default TLS 1.2 and above. */
  readonly tls?: ServerTlsOptions;
  /** Request line and headers together, in bytes; more is answered with 431. Default 65536. */
  readonly maxHeaderBytes?: number;
  /** From the first byte of a request to the end of its headers, in milliseconds; 0 = no limit. Default 15000. */
  readonly headersMs?: number;
  /** From the first byte of a request to the end of its body, in milliseconds; 0 = no limit. Default 300000. */
  readonly requestMs?: number;
  /**
   * How long an idle connection is kept, in milliseconds. Default 65000: above the 60 s of common load balancers, so
   * that they close first and never send into a connection that is going away.
   */
  readonly keepAliveMs?: number;
  /** Most connections at once; further ones are closed on arrival. Default: no limit. */
  readonly maxConnections?: number;
  /**
   * Most requests of one connection that may wait for an earlier answer on it (HTTP pipelining); one more is answered
   * with 429 and the connection closed after it. 0 = every pipelined request is refused. Default 16.
   */
  readonly maxPipelined?: number;
  /** Makes the body of what the server itself answers. Default: an empty body. */
  readonly clientErrorBody?: (status: ClientErrorStatus, error: Error) => ClientErrorBody;
  /** Hears of every answer of the server's own, such as for logs. Must not throw. */
  readonly onClientError?: (status: ClientErrorStatus, error: Error) => void;
}

/** {@link HardenedServerOptions} with the numbers checked and filled in. */
export interface ResolvedServerLimits {
  readonly maxHeaderBytes: number;
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  readonly maxConnections: number | undefined;
  readonly maxPipelined: number;
}

/**
 * Fills in defaults and refuses what cannot work.
 *
 * @throws {@link ProxyHttpError} `invalid_options`
 * @internal
 */
export function resolveServerLimits(options: HardenedServerOptions): ResolvedServerLimits {
  const requestMs = integer('requestMs', options.requestMs ?? 300_000, 0);
  const headersMs = integer(
    'headersMs',
    options.headersMs ?? (requestMs === 0 ? 15_000 : Math.min(15_000, requestMs)),
    0,
  );
  if (requestMs > 0 && headersMs > requestMs) {
    throw new ProxyHttpError(
      'invalid_options',
      `headersMs: found ${headersMs}, expected at most requestMs, which is ${requestMs}`,
    );
  }
  return {
    maxHeaderBytes: integer('maxHeaderBytes', options.maxHeaderBytes ?? 65_536, 1),
    headersMs,
    requestMs,
    keepAliveMs: integer('keepAliveMs', options.keepAliveMs ?? 65_000, 1),
    maxPipelined: integer('maxPipelined', options.maxPipelined ?? 16, 0),
    maxConnections:
      options.maxConnections === undefined ? undefined : integer('maxConnections', options.maxConnections, 1),
  };
}

function integer(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new ProxyHttpError(
    'invalid_options',
    `${name}: found ${value}, expected an integer of at least ${least}`,
  );
}
