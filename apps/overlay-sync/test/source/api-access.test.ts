import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { NotInClusterError, resolveApiAccess } from '../../src/source/config-map/api-access.ts';

const config = { name: 'overlay', insecureSkipTlsVerify: false, requestTimeoutMs: 10_000 };
const pod = (folder: string, env: NodeJS.ProcessEnv = {}): Parameters<typeof resolveApiAccess>[1] => ({
  env,
  serviceAccountFolder: folder,
  resolvePath: (path) => join('/etc/sync', path),
});

describe('resolveApiAccess', () => {
  it('in a pod: server, token, authority and namespace of the pod', async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, 'namespace'), 'grid-system\n');
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    expect(resolveApiAccess(config, pod(dir.path, env))).toEqual({
      access: {
        server: 'https://[fd00::1]:443',
        tokenFile: join(dir.path, 'token'),
        caFile: join(dir.path, 'ca.crt'),
        insecureSkipTlsVerify: false,
        connectMs: 10_000,
      },
      target: { name: 'overlay', namespace: 'grid-system' },
    });
  });

  it("another server never gets the pod's token", async () => {
    const { access } = resolveApiAccess(
      { ...config, namespace: 'n', server: 'https://api:6443/' },
      pod('/sa'),
    );
    expect(access).toMatchObject({ server: 'https://api:6443', tokenFile: undefined, caFile: undefined });
  });

  it("the config's own files win, and count from its folder", () => {
    const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
    const own = { ...config, namespace: 'n', tokenFile: 'token', caFile: 'ca.pem' };
    expect(resolveApiAccess(own, pod('/sa', env)).access).toMatchObject({
      server: 'https://10.0.0.1:443',
      tokenFile: '/etc/sync/token',
      caFile: '/etc/sync/ca.pem',
    });
  });

  it.each([
    ['server', { ...config, namespace: 'n' }],
    ['namespace', { ...config, server: 'http://127.0.0.1:1' }],
  ])('outside of a pod %s must be given', (path, given) => {
    expect(() => resolveApiAccess(given, pod('/nonexistent'))).toThrow(NotInClusterError);
    expect(() => resolveApiAccess(given, pod('/nonexistent'))).toThrow(expect.objectContaining({ path }));
  });
});
