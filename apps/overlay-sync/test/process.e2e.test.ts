import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appEntry, runToExit, spawnNode, startFakeKubernetes, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { sample } from './support/overlays.ts';
import { RunningSync } from './support/running-sync.ts';

const one = sample();

async function configFile(sync: RunningSync, config: object): Promise<string> {
  const file = join(sync.dir.path, 'sync.yaml');
  await writeFile(file, JSON.stringify(config));
  return file;
}

describe('--once', () => {
  it('ends with 0 once a valid overlay was written, after as many tries as it takes', async () => {
    await using sync = await RunningSync.create();
    await using kubernetes = await startFakeKubernetes();
    const configMap = { namespace: 'grid-system', name: 'overlay', server: kubernetes.url };
    for (let i = 0; i < 3; i++) kubernetes.fail('list', i === 1 ? 'drop' : { status: 503 });
    const file = await configFile(sync, sync.config({ configMap }));
    const child = spawnNode([appEntry('overlay-sync'), '--config', file, '--once']);
    await waitUntil(() => kubernetes.watches.length > 0, { what: 'the watch' });
    const { store } = kubernetes;
    const body = { metadata: { name: 'overlay' }, data: { 'routing-overlay.json': 'not yet' } };
    store.create('grid-system', body);
    store.update('grid-system', 'overlay', { data: { 'routing-overlay.json': one.text } });
    expect((await child.exited).code).toBe(0);
    expect(await sync.text()).toBe(one.text);
    // No admin port: nothing to collide with beside the sidecar.
    expect(child.stdout).toEqual([]);
  });

  it('ends with 0 at once when a valid overlay is already there, whatever the source says', async () => {
    await using sync = await RunningSync.create();
    await mkdir(join(sync.dir.path, 'out'));
    await writeFile(sync.output, one.text);
    const file = await configFile(sync, sync.config({ file: './nothing' }));
    expect((await runToExit('overlay-sync', ['--config', file, '--once'])).code).toBe(0);
  });

  it('ended by a signal before that is no success', async () => {
    await using sync = await RunningSync.create();
    const file = await configFile(sync, sync.config({ file: './nothing' }));
    const child = spawnNode([appEntry('overlay-sync'), '--config', file, '--once']);
    await waitUntil(() => child.stderr.some((line) => line.includes('does not exist')));
    child.kill('SIGTERM');
    const { code } = await child.exited;
    expect(code).toBe(1);
    expect(child.stderr.join('\n')).toContain('ended before the output held a valid overlay');
  });
});

describe('the process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s: ends with 0 in the middle of a watch; the output stays',
    async (signal) => {
      await using sync = await RunningSync.create();
      await using kubernetes = await startFakeKubernetes();
      kubernetes.store.create('grid-system', {
        metadata: { name: 'overlay' },
        data: { 'routing-overlay.json': one.text },
      });
      const app = await sync.start({
        configMap: { namespace: 'grid-system', name: 'overlay', server: kubernetes.url },
      });
      await sync.is('ready');
      await waitUntil(() => kubernetes.watches.length === 1);
      app.signal(signal);
      expect(await app.exited).toEqual({ code: 0, signal: null });
      await waitUntil(() => kubernetes.watches.length === 0, { what: 'the watch to be closed' });
      expect(await sync.text()).toBe(one.text);
    },
  );

  it('a bad config: 3, with the nearest known key', async () => {
    await using sync = await RunningSync.create();
    const file = await configFile(sync, sync.config({ fiel: './in' }));
    const { code, stderr } = await runToExit('overlay-sync', ['--config', file, '--check']);
    expect(code).toBe(3);
    expect(stderr).toContain('source.fiel: unknown key, did you mean "file"?');
  });

  it('a ConfigMap without a server, outside of a pod: 3, and what to give', async () => {
    await using sync = await RunningSync.create();
    const file = await configFile(sync, sync.config({ configMap: { namespace: 'n', name: 'overlay' } }));
    const { code, stderr } = await runToExit('overlay-sync', ['--config', file]);
    expect(code).toBe(3);
    expect(stderr).toContain('source.configMap.server: missing');
  });

  it.each(['./out/routing-overlay.json', './out'])(
    'a source %s that is the output: 3, and nothing is written',
    async (file) => {
      await using sync = await RunningSync.create();
      await mkdir(join(sync.dir.path, 'out'));
      await writeFile(sync.output, one.text);
      const config = await configFile(sync, sync.config({ file }));
      const { code, stderr } = await runToExit('overlay-sync', ['--config', config, '--once']);
      expect(code).toBe(3);
      expect(stderr).toContain('output: this is the file that source.file names');
    },
  );

  it('an admin port in use: 5', async () => {
    await using sync = await RunningSync.create();
    await using kubernetes = await startFakeKubernetes();
    const file = await configFile(sync, sync.config({ file: './in' }, { admin: { port: kubernetes.port } }));
    expect((await runToExit('overlay-sync', ['--config', file])).code).toBe(5);
  });

  it('--help names --once', async () => {
    const { code, stdout } = await runToExit('overlay-sync', ['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('--once');
  });
});
