import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type FakeKubernetes, repositoryRoot, startFakeKubernetes, waitUntil } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sample } from './support/overlays.ts';
import { RunningSync } from './support/running-sync.ts';

const kubectl = join(repositoryRoot(), 'node_modules/.cache/kubectl-1.35.2/kubectl');
const run = promisify(execFile);
const one = sample();
const two = sample({ clusters: ['provider-c'] });
const three = sample({ clusters: ['provider-d'] });

let kubernetes: FakeKubernetes;
let sync: RunningSync;

const flags = (): string[] => [
  `--server=${kubernetes.url}`,
  `--cache-dir=${join(sync.dir.path, 'cache')}`,
  '--namespace=grid-system',
];

/** kubectl as a user would call it; rejects with its words on stderr. */
async function call(...args: string[]): Promise<string> {
  const env = { HOME: sync.dir.path, KUBECONFIG: '/dev/null' };
  return (await run(kubectl, [...args, ...flags()], { env, timeout: 30_000 })).stdout.trim();
}

async function manifest(text: string): Promise<string> {
  const file = join(sync.dir.path, 'manifest.json');
  const metadata = { name: 'overlay', namespace: 'grid-system' };
  const data = { 'routing-overlay.json': text };
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }));
  return file;
}

// Not in the default run: `node tools/fetch-kubectl.mjs` fetches 36 MB, for linux x64 only.
describe.skipIf(!existsSync(kubectl))('the real kubectl as a second client of the fake API', () => {
  beforeAll(async () => {
    kubernetes = await startFakeKubernetes();
    sync = await RunningSync.create();
    await sync.start({ configMap: { namespace: 'grid-system', name: 'overlay', server: kubernetes.url } });
  });
  afterAll(async () => {
    await sync[Symbol.asyncDispose]();
    await kubernetes.close();
  });

  it('create, get -w, apply, apply --server-side, patch and delete; overlay-sync follows each', async () => {
    await sync.is('cold deleted');
    const file = join(sync.dir.path, 'routing-overlay.json');
    await writeFile(file, one.text);
    expect(await call('create', 'configmap', 'overlay', `--from-file=${file}`)).toBe(
      'configmap/overlay created',
    );
    await sync.writes(one.text);
    await expect(call('create', 'configmap', 'overlay', `--from-file=${file}`)).rejects.toThrow(
      'configmaps "overlay" already exists',
    );

    const seen: string[] = [];
    const watcher = spawn(
      kubectl,
      ['get', 'configmap', 'overlay', '-w', '--output-watch-events', ...flags()],
      {
        env: { HOME: sync.dir.path, KUBECONFIG: '/dev/null' },
      },
    );
    watcher.stdout.on('data', (chunk: Buffer) => seen.push(...chunk.toString().split('\n').filter(Boolean)));
    try {
      await waitUntil(() => seen.some((line) => line.startsWith('ADDED')));

      expect(await call('apply', '-f', await manifest(two.text))).toBe('configmap/overlay configured');
      await sync.writes(two.text);
      await waitUntil(() => seen.some((line) => line.startsWith('MODIFIED')));
      expect(await call('apply', '-f', await manifest(two.text))).toBe('configmap/overlay unchanged');

      const applied = await call('apply', '--server-side', '-f', await manifest(three.text));
      expect(applied).toBe('configmap/overlay serverside-applied');
      await sync.writes(three.text);

      const patch = JSON.stringify({ data: { 'routing-overlay.json': 'torn' } });
      await call('patch', 'configmap', 'overlay', '--type=merge', '--patch', patch);
      await sync.is('ready_degraded malformed_json');
      expect(await call('get', 'configmap', 'overlay', '-o', 'jsonpath={.data.routing-overlay\\.json}')).toBe(
        'torn',
      );

      expect(await call('delete', 'configmap', 'overlay')).toContain('"overlay" deleted');
      await sync.is('ready_degraded deleted');
      await waitUntil(() => seen.some((line) => line.startsWith('DELETED')));
    } finally {
      watcher.kill('SIGKILL');
    }
    expect(await sync.text()).toBe(three.text);
    await expect(call('get', 'configmap', 'overlay')).rejects.toThrow('configmaps "overlay" not found');
    await call('create', 'configmap', 'overlay', `--from-file=${file}`);
    await sync.writes(one.text);
    await sync.is('ready');
  });
});
