import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppProcess, startApp } from '@switchyard/test-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BODY, CHAT, config, HOP } from './helpers.ts';

/** A backend with a defect: it answers with the headers that it was called with. */
const backend: Server = createServer((incoming, outgoing) => {
  incoming.resume().on('end', () => {
    const { 'content-length': _length, host: _host, connection: _connection, ...echoed } = incoming.headers;
    outgoing
      .writeHead(200, { ...echoed, 'x-api-key': 'backend-secret', 'X-Switchyard-Group': '7' })
      .end('{}');
  });
});
let gateway: AppProcess;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    backend.listen(0, '127.0.0.1', resolve);
  });
  const { port } = backend.address() as AddressInfo;
  gateway = await startApp({
    app: 'provider-gateway',
    config: config({ origin: `http://127.0.0.1:${port}` }),
  });
});
afterAll(async () => {
  await gateway.stop();
  backend.close();
});

it('a backend that echoes attribution and keys has none of them passed on to the peer', async () => {
  const { status, headers } = await fetch(`http://127.0.0.1:${gateway.port('proxy')}${CHAT}`, {
    method: 'POST',
    headers: { ...HOP, 'x-harmless': 'kept' },
    body: BODY,
  });
  expect(status).toBe(200);
  expect(headers.get('x-harmless')).toBe('kept');
  const names = [...headers.keys()];
  expect(names.filter((name) => /^x-(?:ai-routing|ai-provider|switchyard)-|^x-api-key$/.test(name))).toEqual(
    [],
  );
});
