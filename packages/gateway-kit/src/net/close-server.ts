import type { Server } from 'node:net';

interface ClosableServer {
  closeIdleConnections?(): void;
  closeAllConnections?(): void;
}

/**
 * Stops a server: no new connections, idle keep-alive ones are closed at once, running exchanges may finish for
 * `graceMs` milliseconds, then everything left is cut. Resolves when all is closed; closing twice is fine.
 */
export function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const http: ClosableServer = server as ClosableServer;
    const timer = setTimeout(() => http.closeAllConnections?.(), graceMs);
    // The error says "not running", which is what was asked for.
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    http.closeIdleConnections?.();
  });
}
