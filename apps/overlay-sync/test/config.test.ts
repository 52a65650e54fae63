import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '@switchyard/gateway-kit';
import { tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { configSchema, type SyncConfig } from '../src/config.ts';
import { SCOPE } from './support/overlays.ts';

async function load(config: object): Promise<SyncConfig> {
  await using dir = await tempDir();
  const file = join(dir.path, 'sync.yaml');
  await writeFile(file, JSON.stringify(config));
  return loadConfig(file, { schema: configSchema });
}

const good = { source: { file: './in' }, output: './out/routing-overlay.json', expectedScope: SCOPE };

describe('config', () => {
  it('has these defaults', async () => {
    expect(await load(good)).toEqual({
      ...good,
      maxBytes: 1_048_576,
      maxCandidates: 1024,
      admin: { host: '127.0.0.1', port: 0 },
      staleAfterMs: 180_000,
      backOff: { initialMs: 1000, maxMs: 30_000, resetAfterMs: 60_000 },
      reload: { debounceMs: 100, pollMs: 5000 },
    });
    const configMap = { name: 'overlay' };
    expect((await load({ ...good, source: { configMap } })).source.configMap).toEqual({
      name: 'overlay',
      key: 'routing-overlay.json',
      insecureSkipTlsVerify: false,
      requestTimeoutMs: 10_000,
    });
  });

  it.each([
    [{ ...good, source: {} }, 'expected exactly one of file and configMap'],
    [
      { ...good, source: { file: 'a', configMap: { name: 'b' } } },
      'expected exactly one of file and configMap',
    ],
    [{ ...good, source: { fil: 'a' } }, 'source.fil: unknown key, did you mean "file"?'],
    [
      { ...good, source: { configMap: { name: 'a', server: 'ftp://x' } } },
      'expected a URL like https://host:port',
    ],
    [{ ...good, source: { configMap: { name: 'a', namespace: '..' } } }, 'source.configMap.namespace: '],
    [{ ...good, source: { configMap: { name: 'a,metadata.name=b' } } }, 'source.configMap.name: '],
    [{ ...good, source: { configMap: { name: 'a', key: '../token' } } }, 'source.configMap.key: '],
    [{ ...good, outptu: 'a' }, 'outptu: unknown key, did you mean "output"?'],
    [{ ...good, expectedScope: { ...SCOPE, gateway: undefined } }, 'expectedScope.gateway: '],
    [{ ...good, expectedScope: undefined }, 'expectedScope: '],
    [{ ...good, backOff: { initialMs: 5000, maxMs: 1000 } }, 'expected initialMs up to maxMs'],
    [{ ...good, maxBytes: 0 }, 'maxBytes: '],
  ])('%j is refused', async (config, message) => {
    const error = await load(config).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).message).toContain(message);
  });
});
