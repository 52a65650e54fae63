import { hasOpenssl, localhostCertificate, startFaultUpstream, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { createUpstream, ProxyHttpError, type Upstream, type UpstreamFailure } from '../../src/index.ts';
import { resolveUpstreamOptions } from '../../src/upstream/upstream-options.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';

function get(upstream: Upstream, headers: readonly string[] = []): Promise<number | UpstreamFailure> {
  return new Promise((resolve) => {
    let status = 0;
    upstream.dispatch(
      { method: 'GET', path: '/', headers, body: null },
      {
        onHead: (head) => {
          status = head.status;
        },
        onData: () => {},
        onEnd: () => resolve(status),
        onError: resolve,
      },
    );
  });
}

describe('connections', () => {
  it('are kept and used again', async () => {
    await using faulty = await startFaultUpstream();
    const upstream = createUpstream({ origin: faulty.origin });
    for (let i = 0; i < 5; i++) {
      expect(await get(upstream)).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(faulty.connections).toBe(1);
    await upstream.destroy();
  });

  it('are closed after keepAliveMs', async () => {
    await using raw = await startRawUpstream(({ socket }) => {
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    });
    const upstream = createUpstream({ origin: raw.origin, keepAliveMs: 50 });
    expect(await get(upstream)).toBe(200);
    await (await raw.connection()).gone;
    await upstream.destroy();
  });

  it('are kept 4 seconds by default, below the 5 after which model servers close', () => {
    expect(resolveUpstreamOptions({ origin: 'http://127.0.0.1:1' }).keepAliveMs).toBe(4000);
  });

  it("outlive keepAliveMs by no hint of the upstream's", async () => {
    await using raw = await startRawUpstream(({ socket }) => {
      socket.on('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=60\r\ncontent-length: 0\r\n\r\n'),
      );
    });
    const upstream = createUpstream({ origin: raw.origin, keepAliveMs: 50 });
    expect(await get(upstream)).toBe(200);
    await (await raw.connection()).gone;
    await upstream.destroy();
  });

  it('are not more than asked for; the rest waits its turn', async () => {
    await using faulty = await startFaultUpstream({ mode: 'slow:20' });
    const upstream = createUpstream({ origin: faulty.origin, connections: 2 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => get(upstream)));
    expect(answers).toEqual(Array(10).fill(200));
    expect(faulty.connections).toBe(2);
    await upstream.destroy();
  });

  it('recover by themselves after the upstream was away', async () => {
    const first = await startFaultUpstream();
    const upstream = createUpstream({ origin: first.origin });
    expect(await get(upstream)).toBe(200);
    await first.close();
    await waitUntil(async () => typeof (await get(upstream)) === 'object');
    await using _second = await startFaultUpstream({ port: first.port });
    expect(await get(upstream)).toBe(200);
    await upstream.destroy();
  });
});

describe('close and destroy', () => {
  it('close lets an exchange in flight finish, and may be called twice', async () => {
    await using faulty = await startFaultUpstream({ mode: 'slow:50' });
    const upstream = createUpstream({ origin: faulty.origin });
    const answer = get(upstream);
    await faulty.waitForRequest();
    await Promise.all([upstream.close(), upstream.close()]);
    expect(await answer).toBe(200);
    await upstream.destroy();
  });

  it('destroy ends an exchange in flight', async () => {
    await using faulty = await startFaultUpstream({ mode: 'hang' });
    const upstream = createUpstream({ origin: faulty.origin });
    const answer = get(upstream);
    const request = await faulty.waitForRequest();
    await upstream.destroy();
    expect(await answer).toMatchObject({ reason: 'local' });
    expect(await request.over).toBe('aborted');
  });
});

// Certificates are made with openssl, which a machine with only Node may lack.
describe.skipIf(!hasOpenssl())('TLS', () => {
  it('checks the certificate against ca and servername, and presents its own', async () => {
    const { cert, key, ca } = await localhostCertificate();
    await using faulty = await startFaultUpstream({
      tls: { cert, key, ca, requestCert: true, rejectUnauthorized: true },
    });
    const trusting = createUpstream({
      origin: faulty.origin,
      tls: { ca, cert, key, servername: 'localhost' },
    });
    expect(await get(trusting)).toBe(200);
    const wrongName = createUpstream({
      origin: faulty.origin,
      tls: { ca: [ca], cert, key, servername: 'other' },
    });
    expect(await get(wrongName)).toMatchObject({ reason: 'connect' });
    const distrusting = createUpstream({ origin: faulty.origin, tls: { servername: 'localhost' } });
    expect(await get(distrusting)).toMatchObject({ reason: 'connect' });
    const nameless = createUpstream({ origin: faulty.origin, tls: { ca, servername: 'localhost' } });
    expect(await get(nameless)).toMatchObject({
      reason: expect.stringMatching(/^(connect|reset)$/) as string,
    });
    await Promise.all([trusting, wrongName, distrusting, nameless].map((upstream) => upstream.destroy()));
  });
});

describe.skipIf(!hasOpenssl())('a host header', () => {
  it('is sent as given, and does not choose the certificate to trust', async () => {
    const { cert, key, ca } = await localhostCertificate();
    await using faulty = await startFaultUpstream({ tls: { cert, key } });
    const upstream = createUpstream({
      origin: faulty.origin.replace('127.0.0.1', 'localhost'),
      tls: { ca },
    });
    expect(await get(upstream, ['host', 'other.example'])).toBe(200);
    expect(faulty.requests[0]?.header('host')).toBe('other.example');
    await upstream.destroy();
  });
});

describe('options that cannot work', () => {
  it.each([
    [{ origin: 'localhost:80' }, 'origin'],
    [{ origin: 'not a url' }, 'origin'],
    [{ origin: 'ftp://host' }, 'scheme ftp:'],
    [{ origin: 'http://host/path' }, 'origin'],
    [{ origin: 'http://user:secret@host' }, 'credentials'],
    [{ origin: 'http://host', connections: 0 }, 'connections: found 0'],
    [{ origin: 'http://host', connectMs: -1 }, 'connectMs: found -1'],
    [{ origin: 'http://host', keepAliveMs: Number.NaN }, 'keepAliveMs: found NaN'],
  ])('%j', (options, message) => {
    let thrown: unknown;
    try {
      createUpstream(options);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ProxyHttpError);
    expect(thrown).toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(message) as string,
    });
    expect(String(thrown)).not.toContain('secret');
  });
});
