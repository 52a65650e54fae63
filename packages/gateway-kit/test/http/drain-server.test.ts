import { once } from 'node:events';
import { Agent, createServer, get, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { drainServer, trackConnections } from '../../src/http/drain-server.ts';

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
    const drain = drainServer(server, 60_000).then((result) => {
      drained = true;
      return result;
    });
    expect(drained).toBe(false);
    if (running !== undefined) {
      running.shouldKeepAlive = false;
      running.end();
    }
    expect(await answered).toBe(200);
    expect(await drain).toEqual({ cutOff: 0 });
    agent.destroy();
  });

  it('answers the request that comes on a connection which had none when the server stopped to accept', async () => {
    const server = createServer((_request, response) => {
      response.shouldKeepAlive = false;
      response.end('in time');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const accepted = new Promise((resolve) => server.once('connection', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await accepted;
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    const drain = drainServer(server, 60_000);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await drain).toEqual({ cutOff: 0 });
    await once(socket, 'close');
    expect(text).toContain('in time');
  });

  it('cuts off what has not ended in time, and tells how much that was', async () => {
    const server = createServer((_request, response) => {
      response.write('begun');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const broken = [1, 2].map(
      () =>
        new Promise<Error>((resolve) =>
          get(url, (response) => response.resume().on('error', resolve)).on('error', resolve),
        ),
    );
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, n) => resolve(n)))).toBe(2);
    expect(await drainServer(server, 20)).toEqual({ cutOff: 2 });
    for (const error of await Promise.all(broken)) expect(error).toMatchObject({ code: 'ECONNRESET' });
  });

  it('a connection that a client opened ahead of need does not hold up the end', async () => {
    const server = createServer((_request, response) => response.end());
    const connections = trackConnections(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const accepted = new Promise((resolve) => server.once('connection', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.resume();
    await accepted;
    const closed = once(socket, 'close');
    expect(await drainServer(server, 60_000, connections)).toEqual({ cutOff: 0 });
    await closed;
    await waitUntil(() => connections.size === 0);
  });
});
