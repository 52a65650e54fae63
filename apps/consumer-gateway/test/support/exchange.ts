import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { TestGateway } from '../support/gateway.ts';

/** How many requests each provider has received. */
export function received(gateway: TestGateway, names: readonly string[]): number[] {
  return names.map((name) => gateway.upstream(name).requests.length);
}

/** The three usual providers. */
export const ABC: readonly string[] = ['provider-a', 'provider-b', 'provider-c'];

/** Resident memory of a process, in MiB. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** A response as it comes, piece by piece. */
export interface Opened {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** The next piece; null at a clean end. Rejects when the connection breaks. */
  next(): Promise<Buffer | null>;
  /** Everything from here on. Rejects when the connection breaks. */
  rest(): Promise<Buffer>;
  /** Leaves. */
  leave(): void;
}

/** Opens a request and returns once its head is there. */
export function open(
  port: number,
  body: string,
  options: {
    readonly path?: string;
    readonly headers?: Record<string, string>;
    /** Leaves, also before there is a head. */
    readonly signal?: AbortSignal;
  } = {},
): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: options.path ?? '/v1/chat/completions',
        headers: { 'content-type': 'application/json', ...options.headers },
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      },
      (response) => {
        const pieces = response[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
        const next = async (): Promise<Buffer | null> => {
          return (await pieces.next()).value ?? null;
        };
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          next,
          rest: async () => {
            const all: Buffer[] = [];
            for (let piece = await next(); piece !== null; piece = await next()) all.push(piece);
            return Buffer.concat(all);
          },
          leave: () => request.destroy(),
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
