import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@switchyard/test-kit';
import { type ClientErrorStatus, createHardenedServer } from '../../src/index.ts';

/** The header that ends a connection after its answer. */
export const CLOSING = 'Connection: close\r\n';

/** A hardened server that answers `saw TARGET`, at once or when told to. */
export interface HardServer {
  readonly port: number;
  /** Targets that reached the handler. */
  readonly seen: string[];
  /** Statuses the server answered by itself. */
  readonly refusals: ClientErrorStatus[];
  /** Resolves when so many requests wait for {@link release}. */
  held(count: number): Promise<void>;
  /** Sends the head and a first piece of a held answer. */
  begin(target: string): void;
  release(target: string): void;
  close(): void;
}

export async function startHardServer(
  options: { readonly hold?: boolean; readonly maxPipelined?: number } = {},
): Promise<HardServer> {
  const seen: string[] = [];
  const refusals: ClientErrorStatus[] = [];
  const waiting = new Map<string, ServerResponse>();
  const server = createHardenedServer({
    onRequest: (incoming, outgoing) => {
      const target = incoming.url ?? '';
      seen.push(target);
      incoming.resume();
      if (options.hold === true) waiting.set(target, outgoing);
      else outgoing.end(`saw ${target}`);
    },
    onClientError: (status) => refusals.push(status),
    ...(options.maxPipelined === undefined ? {} : { maxPipelined: options.maxPipelined }),
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const held = (target: string): ServerResponse => {
    const outgoing = waiting.get(target);
    if (outgoing === undefined) throw new Error(`no request for ${target} is held`);
    return outgoing;
  };
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    refusals,
    held: async (count) => {
      await waitUntil(() => waiting.size >= count);
    },
    begin: (target) => void held(target).write('begun, '),
    release: (target) => void held(target).end(`saw ${target}`),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
