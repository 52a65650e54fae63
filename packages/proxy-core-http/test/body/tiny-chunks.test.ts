import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@switchyard/test-kit';
import { afterEach, describe, expect, it } from 'vitest';
import { type CollectBodyResult, collectBody } from '../../src/index.ts';
import { heldBytes } from '../support/held-bytes.ts';
import { openClient } from '../support/stream-client.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function startCollector(): Promise<{
  port: number;
  incoming: () => IncomingMessage | undefined;
  result: () => CollectBodyResult | undefined;
}> {
  let request: IncomingMessage | undefined;
  let result: CollectBodyResult | undefined;
  const server = createServer((incoming, outgoing) => {
    request = incoming;
    void collectBody(incoming, { maxBytes: 10_000_000 }).then((collected) => {
      result = collected;
      outgoing.end('collected');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    incoming: () => request,
    result: () => result,
  };
}

const HEAD = 'POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('a body in chunks of one byte', () => {
  it('does not hold hundreds of times its size', async () => {
    const { port, incoming } = await startCollector();
    const before = heldBytes();
    const chunks = '1\r\nx\r\n'.repeat(300_000);
    openClient(port, HEAD + chunks);
    await waitUntil(() => (incoming()?.socket.bytesRead ?? 0) >= HEAD.length + chunks.length);
    expect(heldBytes() - before).toBeLessThan(12_000_000);
  });

  it('arrives as it was sent, among longer ones', async () => {
    const { port, result } = await startCollector();
    const parts = Array.from({ length: 3000 }, (_, n) =>
      n % 97 === 0 ? `<${String(n).repeat(3000)}>` : String.fromCharCode(97 + (n % 26)).repeat(1 + (n % 7)),
    );
    const client = openClient(
      port,
      `${HEAD}${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`,
    );
    await client.heard('collected');
    const collected = result();
    expect(
      collected?.ok && collected.body.subarray(0, collected.body.length).toString() === parts.join(''),
    ).toBe(true);
  });
});
