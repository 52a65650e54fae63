import { request } from 'node:https';
import { join } from 'node:path';
import {
  type AppProcess,
  type FaultUpstream,
  hasOpenssl,
  makeCertificates,
  startApp,
  startFaultUpstream,
  type TempDir,
  tempDir,
} from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BODY, CHAT, config, HOP } from './helpers.ts';

// Certificates are made with openssl, which a machine with only Node may lack.
describe.skipIf(!hasOpenssl())('mutual TLS between the gateways', () => {
  let dir: TempDir;
  let backend: FaultUpstream;
  let gateway: AppProcess;
  let read: (name: string) => string;

  beforeAll(async () => {
    dir = await tempDir();
    await makeCertificates(dir.path, {
      signed: { provider: 'ca', consumer: 'ca', stranger: 'other-ca' },
    });
    const { readFileSync } = await import('node:fs');
    read = (name) => readFileSync(join(dir.path, name), 'utf8');
    backend = await startFaultUpstream();
    gateway = await startApp({
      app: 'provider-gateway',
      configDir: dir.path,
      config: config(backend, {
        peers: { auth: 'mtls', ca: 'ca.pem', cert: 'provider.pem', key: 'provider.key' },
      }),
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await backend?.close();
    await dir?.remove();
  });

  function send(identity?: string): Promise<number> {
    const own = identity === undefined ? {} : { cert: read(`${identity}.pem`), key: read(`${identity}.key`) };
    return new Promise((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port: gateway.port('proxy'),
          path: CHAT,
          method: 'POST',
          headers: HOP,
          ca: read('ca.pem'),
          agent: false,
          ...own,
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      call.on('error', reject);
      call.end(BODY);
    });
  }

  it('a peer with a certificate of the authority gets through', async () => {
    expect(await send('consumer')).toBe(200);
  });

  it.each([
    ['no certificate', undefined],
    ['a certificate of another authority', 'stranger'],
  ])('%s never reaches the policy', async (_name, identity) => {
    const before = backend.requests.length;
    await expect(send(identity)).rejects.toThrow();
    expect(backend.requests.length).toBe(before);
  });

  it('the consumer gateway reaches it with its own certificate', async () => {
    const consumer = await startApp({
      app: 'consumer-gateway',
      configDir: dir.path,
      config: {
        listen: { port: 0 },
        admin: { port: 0 },
        routing: {
          localSite: 'here',
          candidates: [
            {
              name: 'demo-model',
              site: 'here',
              cluster: 'provider-a',
              stableId: HOP['x-ai-routing-candidate'],
            },
          ],
        },
        clusters: [
          {
            name: 'provider-a',
            providerHop: true,
            endpoints: [{ url: `https://127.0.0.1:${gateway.port('proxy')}` }],
            tls: { ca: 'ca.pem', cert: 'consumer.pem', key: 'consumer.key' },
          },
        ],
      },
    });
    try {
      const response = await fetch(`http://127.0.0.1:${consumer.port('proxy')}${CHAT}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: BODY,
      });
      expect(response.status).toBe(200);
      expect(response.headers.get('x-switchyard-provider')).toBe('provider-a');
    } finally {
      await consumer.stop();
    }
  });
});
