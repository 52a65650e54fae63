import type { Server } from 'node:net';
import type { ListenAddress } from '../config/schemas.ts';

/** Why a listener could not be opened. */
export type ListenErrorCode =
  | 'address_in_use'
  | 'permission_denied'
  | 'address_not_available'
  | 'listen_failed';

/** A port that could not be opened. `address_in_use` makes the process exit with 5. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: ListenErrorCode;
  readonly host: string;
  readonly port: number;

  constructor(at: ListenAddress, cause: unknown) {
    const code = codeOf(cause);
    super(explain(code, at, cause), { cause });
    this.code = code;
    this.host = at.host;
    this.port = at.port;
  }
}

/**
 * Starts to listen and resolves with the actual port (useful with port 0).
 *
 * @throws {@link ListenError} when the address cannot be opened.
 */
export function listen(server: Server, at: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => {
      server.off('listening', onListening);
      reject(new ListenError(at, error));
    };
    const onListening = (): void => {
      server.off('error', onError);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : at.port);
    };
    server.once('error', onError);
    server.once('listening', onListening);
    server.listen({ host: at.host, port: at.port });
  });
}

function codeOf(cause: unknown): ListenErrorCode {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') return 'address_in_use';
  if (code === 'EACCES' || code === 'EPERM') return 'permission_denied';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'address_not_available';
  return 'listen_failed';
}

function explain(code: ListenErrorCode, at: ListenAddress, cause: unknown): string {
  const address = `${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}`;
  switch (code) {
    case 'address_in_use':
      return `${address} is already in use: another process listens there. Stop it, or choose another port (0 picks a free one).`;
    case 'permission_denied':
      return `not allowed to listen on ${address}. Ports below 1024 often need extra rights: choose a higher one.`;
    case 'address_not_available':
      return `${at.host} is not an address of this machine. Use 127.0.0.1 (this machine only) or 0.0.0.0 (all interfaces).`;
    case 'listen_failed':
      return `cannot listen on ${address}: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}
