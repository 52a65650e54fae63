import type { Server } from 'node:http';
import { isIPv4 } from 'node:net';
import { TraceViewError } from '../errors.ts';

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/**
 * Starts to listen and resolves with the actual port.
 *
 * @throws {@link TraceViewError} `address_in_use` or `listen_failed`.
 */
export function listen(
  server: Server,
  at: { readonly host: string; readonly port: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (cause: NodeJS.ErrnoException): void => reject(explain(cause, at));
    server.once('error', onError);
    server.listen(at, () => {
      server.off('error', onError);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : at.port);
    });
  });
}

function explain(
  cause: NodeJS.ErrnoException,
  { host, port }: { readonly host: string; readonly port: number },
): TraceViewError {
  return cause.code === 'EADDRINUSE'
    ? new TraceViewError(
        'address_in_use',
        `${host}:${port} is already in use (4318 is also that of Jaeger and collectors): stop that process, or choose another port; 0 picks a free one`,
        { cause },
      )
    : new TraceViewError('listen_failed', `cannot listen on ${host}:${port}: ${cause.message}`, { cause });
}

/** Stops a server: running exchanges may finish for `graceMs` milliseconds, then everything left is cut. */
export function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    // The error says "not running", which is what was asked for.
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
