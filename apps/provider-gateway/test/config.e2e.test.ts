import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runToExit, type TempDir, tempDir } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config } from './helpers.ts';

let dir: TempDir;
const backend = { origin: 'http://127.0.0.1:9' };

beforeAll(async () => {
  dir = await tempDir();
});
afterAll(() => dir.remove());

async function start(
  text: object | string,
): Promise<{ code: number | null; stderr: string; stdout: string }> {
  const file = join(dir.path, 'provider.yaml');
  await writeFile(file, typeof text === 'string' ? text : JSON.stringify(text, null, 2));
  return runToExit('provider-gateway', ['--config', file]);
}

describe('a config that cannot be used ends the start with exit code 3 and says what is wrong where', () => {
  it.each([
    ['an unknown key', { ...config(backend), providerID: 'x' }, 'did you mean "providerId"'],
    ['a wrong type', { ...config(backend), providerId: 7 }, 'providerId'],
    ['an identifier that no header can carry', { ...config(backend), providerId: 'a b' }, 'visible ASCII'],
    [
      'a dangling cluster',
      config(backend, { routes: [{ candidateId: 'x', model: 'm', paths: ['/v1'], cluster: 'backnd' }] }),
      'did you mean "backend"',
    ],
    [
      'two routes of one candidate',
      config(backend, {
        routes: [1, 2].map(() => ({ candidateId: 'x', model: 'm', paths: ['/v1'], cluster: 'backend' })),
      }),
      'has two routes',
    ],
    ['no peers', { ...config(backend), peers: undefined }, 'peers'],
    ['an unknown way to trust', config(backend, { peers: { auth: 'none' } }), 'peers.auth'],
    ['mtls without its files', config(backend, { peers: { auth: 'mtls', ca: 'ca.pem' } }), 'peers.cert'],
    [
      'a file that is not there',
      config(backend, { peers: { auth: 'mtls', ca: 'no.pem', cert: 'no.pem', key: 'no.pem' } }),
      'cannot read "no.pem"',
    ],
  ])('%s', async (_name, text, expected) => {
    const { code, stderr } = await start(text);
    expect(stderr).toContain(expected);
    expect(stderr).toContain('provider.yaml');
    expect(code).toBe(3);
  });

  it('a port that is taken is exit code 5', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await start(config(backend, { listen: { port } }));
    other.close();
    expect(stderr).toContain(String(port));
    expect(code).toBe(5);
  });

  it('--check says ok and starts nothing', async () => {
    const file = join(dir.path, 'good.yaml');
    await writeFile(file, JSON.stringify(config(backend)));
    expect(await runToExit('provider-gateway', ['--config', file, '--check'])).toMatchObject({
      code: 0,
      stdout: `${file}: ok`,
    });
  });
});
