import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startProxy } from '../support/proxy.ts';
import { openClient, post } from '../support/stream-client.ts';

const MIB = 1_048_576;
const TOTAL = 64 * MIB;

/** An upstream that writes 64 MB as fast as it is let, and counts what it could write. */
async function startFirehose() {
  const state = { written: 0 };
  const piece = Buffer.alloc(65_536, 'x');
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(200, { 'content-length': TOTAL });
    const write = (): void => {
      while (state.written < TOTAL) {
        state.written += piece.length;
        if (!outgoing.write(piece)) return;
      }
      outgoing.end();
    };
    outgoing.on('drain', write);
    write();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { state, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** Waits until the upstream has not been able to write for a while. */
async function stalled(state: { written: number }): Promise<void> {
  for (let before = -1; before !== state.written; ) {
    before = state.written;
    await delay(150);
  }
}

describe('a client that does not read', () => {
  it('pauses the upstream, keeps memory flat, and gets every byte once it reads', async () => {
    const { state, origin, server } = await startFirehose();
    await using proxy = await startProxy(origin);
    const client = openClient(proxy.port);
    client.socket.removeAllListeners('data');
    client.socket.pause();
    client.socket.write(post());
    await stalled(state);
    const rssBefore = process.memoryUsage().arrayBuffers;
    expect(state.written).toBeGreaterThan(0);
    // Kernel buffers on two connections hold the rest.
    expect(state.written).toBeLessThan(TOTAL / 2);
    await delay(200);
    expect(process.memoryUsage().arrayBuffers - rssBefore).toBeLessThan(4 * MIB);

    let received = 0;
    client.socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    client.socket.resume();
    expect(await proxy.outcome()).toEqual({ kind: 'completed', status: 200, responseBytes: TOTAL });
    client.socket.end();
    await client.ended;
    expect(received).toBeGreaterThan(TOTAL);
    server.closeAllConnections();
    server.close();
  });

  it('does not slow down another client of the same upstream', async () => {
    const { state, origin, server } = await startFirehose();
    await using proxy = await startProxy(origin);
    const stuck = openClient(proxy.port);
    stuck.socket.removeAllListeners('data');
    stuck.socket.pause();
    stuck.socket.write(post());
    await stalled(state);
    state.written = TOTAL - MIB;
    const other = openClient(proxy.port, post());
    await other.heard('200 OK');
    stuck.socket.destroy();
    other.socket.destroy();
    server.closeAllConnections();
    server.close();
  });
});
