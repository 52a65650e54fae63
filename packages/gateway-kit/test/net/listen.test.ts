import { createServer, get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { closeServer, ListenError, listen } from '../../src/index.ts';

describe('listen', () => {
  it('resolves with the port the system chose', async () => {
    const server = createServer((_request, response) => response.end('here'));
    const port = await listen(server, { host: '127.0.0.1', port: 0 });
    expect(port).toBeGreaterThan(0);
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('here');
    await closeServer(server, 0);
  });

  it('names the address when the port is taken, and keeps the cause', async () => {
    const first = createServer();
    const second = createServer();
    const port = await listen(first, { host: '127.0.0.1', port: 0 });
    const listeners = (): number => second.listenerCount('error') + second.listenerCount('listening');
    const before = listeners();
    const failure = await listen(second, { host: '127.0.0.1', port }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ListenError);
    expect(failure).toMatchObject({
      code: 'address_in_use',
      host: '127.0.0.1',
      port,
      cause: { code: 'EADDRINUSE' },
    });
    expect(String(failure)).toContain(`127.0.0.1:${port} is already in use`);
    // Nothing is left behind: the same server may try elsewhere.
    expect(listeners()).toBe(before);
    expect(await listen(second, { host: '127.0.0.1', port: 0 })).toBeGreaterThan(0);
    await Promise.all([closeServer(first, 0), closeServer(second, 0)]);
  });

  it('says so when the address is not of this machine', async () => {
    // TEST-NET-1: reserved for documentation, so on no machine.
    const failure = await listen(createServer(), { host: '192.0.2.1', port: 0 }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'address_not_available' });
    expect(String(failure)).toContain('192.0.2.1 is not an address of this machine');
  });
});

describe('closeServer', () => {
  it('cuts what still runs after the grace time, and idle connections at once', async () => {
    const server = createServer(() => undefined);
    const port = await listen(server, { host: '127.0.0.1', port: 0 });
    const arrived = new Promise((resolve) => server.once('request', resolve));
    const request = get({ port, host: '127.0.0.1' });
    const cut = new Promise((resolve) => request.once('error', resolve));
    await arrived;
    await closeServer(server, 20);
    expect(await cut).toMatchObject({ code: 'ECONNRESET' });
    await closeServer(server, 20);
  });
});
