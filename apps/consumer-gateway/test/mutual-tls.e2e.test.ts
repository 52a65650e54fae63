import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasOpenssl, makeCertificates, startApp, startFaultUpstream, tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ask } from './support/client.ts';

// Certificates are made with openssl, which a machine with only Node may lack.
describe.skipIf(!hasOpenssl())('mutual TLS to a provider', () => {
  const cases: [what: string, tls: object, status: number][] = [
    [
      'serves with the right files',
      { ca: 'ca.pem', cert: 'client.pem', key: 'client.key', servername: 'provider.test' },
      200,
    ],
    ['fails without a client certificate', { ca: 'ca.pem', servername: 'provider.test' }, 502],
    [
      'fails with an authority nobody told it of',
      { cert: 'client.pem', key: 'client.key', servername: 'provider.test' },
      502,
    ],
    ['fails when the name is another', { ca: 'ca.pem', cert: 'client.pem', key: 'client.key' }, 502],
  ];

  it.each(cases)('%s', async (_what, tls, status) => {
    await using dir = await tempDir();
    await makeCertificates(dir.path, {
      signed: { server: 'ca', client: 'ca' },
      altNames: 'DNS:provider.test',
    });
    const read = (name: string): Promise<string> => readFile(join(dir.path, name), 'utf8');
    await using upstream = await startFaultUpstream({
      tls: {
        key: await read('server.key'),
        cert: await read('server.pem'),
        ca: await read('ca.pem'),
        requestCert: true,
      },
    });
    await using app = await startApp({
      app: 'consumer-gateway',
      configDir: dir.path,
      config: {
        listen: { port: 0 },
        admin: { port: 0 },
        routing: { localSite: 's', candidates: [{ name: 'demo-model', site: 's', cluster: 'provider-a' }] },
        clusters: [{ name: 'provider-a', tls, endpoints: [{ url: upstream.origin }] }],
      },
    });
    expect((await ask(app.port('proxy'))).status).toBe(status);
  });
});
