import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runToExit, type TempDir, tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { candidate, overlay, SCOPE } from './support/overlay.ts';

const good = overlay([candidate('provider-a')]).text;

interface Start {
  /** Members that replace those of a good configuration. */
  readonly config?: object;
  /** Content of the overlay file; undefined = no file. */
  readonly overlay?: string | undefined;
  readonly args?: readonly string[];
}

async function start(
  options: Start,
  prepare?: (dir: TempDir) => Promise<void>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  await using dir = await tempDir();
  const config = {
    listen: { port: 0 },
    admin: { port: 0 },
    routing: { overlayFile: './overlay.json' },
    clusters: [{ name: 'provider-a', endpoints: [{ url: 'http://127.0.0.1:9' }] }],
    ...options.config,
  };
  const file = join(dir.path, 'gateway.yaml');
  await writeFile(file, JSON.stringify(config));
  if (options.overlay !== undefined) await writeFile(join(dir.path, 'overlay.json'), options.overlay);
  await prepare?.(dir);
  return await runToExit('consumer-gateway', ['--config', file, ...(options.args ?? [])]);
}

describe('a start that cannot work', () => {
  const bad: [what: string, options: Start, stderr: RegExp][] = [
    [
      'an unknown key',
      { config: { listen: { prot: 1 } }, overlay: good },
      /listen\.prot: unknown key, did you mean "port"/,
    ],
    [
      'a wrong type',
      { config: { timeouts: { connectMs: 'soon' } }, overlay: good },
      /timeouts\.connectMs: .*soon/,
    ],
    [
      'a dangling cluster',
      {
        config: {
          routing: { localSite: 's', candidates: [{ name: 'm', site: 's', cluster: 'provider-q' }] },
        },
      },
      /routing\.candidates\[0\]\.cluster: no such cluster "provider-q"/,
    ],
    ['a missing overlay', {}, /routing\.overlayFile: .*overlay\.json/],
    ['an overlay that is no JSON', { overlay: '{' }, /routing\.overlayFile: .*overlay\.json.*malformed_json/],
    ['a broken digest', { overlay: good.replaceAll('site-a', 'site-b') }, /digest_mismatch/],
    [
      'another scope',
      {
        overlay: good,
        config: { routing: { overlayFile: './overlay.json', expectedScope: { ...SCOPE, gateway: 'other' } } },
      },
      /scope_mismatch/,
    ],
    [
      'an unknown policy',
      { overlay: good.replace('"round_robin"', '"fastest"') },
      /invalid_selection_policy/,
    ],
    [
      'a missing TLS file',
      {
        overlay: good,
        config: {
          clusters: [
            { name: 'provider-a', tls: { ca: './ca.pem' }, endpoints: [{ url: 'https://127.0.0.1:9' }] },
          ],
        },
      },
      /clusters\[0\]\.tls\.ca: .*ca\.pem/,
    ],
  ];
  it.each(bad)('%s: exit 3, and stderr says what', async (_what, options, expected) => {
    const { code, stdout, stderr } = await start(options);
    expect(stderr).toMatch(expected);
    expect(code).toBe(3);
    expect(stdout).toBe('');
  });

  it('a directory in the overlay’s place: exit 3', async () => {
    const { code, stderr } = await start(
      {},
      async (dir) => void (await mkdir(join(dir.path, 'overlay.json'))),
    );
    expect(stderr).toMatch(/routing\.overlayFile: /);
    expect(code).toBe(3);
  });

  it.each(['listen', 'admin'])('a port in use for %s: exit 5, nothing else stays open', async (listener) => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, stderr } = await start({ overlay: good, config: { [listener]: { port } } });
    expect(stderr).toContain(`127.0.0.1:${port} is already in use`);
    expect(code).toBe(5);
    await new Promise<unknown>((resolve) => blocker.close(resolve));
  });

  it('no configuration file: exit 3; no arguments: exit 2', async () => {
    const missing = await runToExit('consumer-gateway', ['--config', '/nonexistent/gateway.yaml']);
    expect(missing.code).toBe(3);
    expect(missing.stderr).toContain('/nonexistent/gateway.yaml');
    expect((await runToExit('consumer-gateway', [])).code).toBe(2);
  });
});

describe('--check and --print-config', () => {
  it('judge the file alone', async () => {
    expect((await start({ args: ['--check'] })).code).toBe(0);
    const printed = await start({ args: ['--print-config'] });
    expect(printed.code).toBe(0);
    expect(printed.stdout).toContain('perTryFirstByteMs: 30000');
  });
});
