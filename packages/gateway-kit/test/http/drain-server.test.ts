import { Agent, createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { drainServer } from '../../src/http/drain-server.ts';

describe('drainServer', () => {
  it('waits for a running request, and not for connections that only idle', async () => {
    let running: ServerResponse | undefined;
    const arrived: (() => void)[] = [];
    const server = createServer((request, response) => {
      if (request.url === '/slow') running = response;
      else response.end();
      arrived.shift()?.();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve) =>
      get(url, { agent }, (response) => response.resume().on('end', resolve)),
    );
    const head = new Promise<void>((resolve) => arrived.push(resolve));
    const answered = new Promise<number>((resolve, reject) =>
      get(`${url}/slow`, { agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      }).on('error', reject),
    );
    await head;
    let drained = false;
    const drain = drainServer(server).then(() => {
      drained = true;
    });
    expect(drained).toBe(false);
    if (running !== undefined) {
      running.shouldKeepAlive = false;
      running.end();
    }
    expect(await answered).toBe(200);
    await drain;
    agent.destroy();
  });
});
