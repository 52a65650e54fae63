import { lstat, mkdir, readdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseOverlay } from '@switchyard/overlay-contract';
import { type AppProcess, runToExit, startApp, type TempDir, tempDir, waitUntil } from '@switchyard/test-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let dir: TempDir;
let health: Server;
let status: number;
let hung: boolean;
let app: AppProcess | undefined;

const resources = (): string => join(dir.path, 'resources');
const overlayFile = (sub = 'overlay'): string => join(dir.path, sub, 'routing-overlay.json');
const healthUrl = (): string => `http://127.0.0.1:${(health.address() as AddressInfo).port}`;

function network(name: string, gateways: readonly string[]): string {
  const refs = gateways.map(
    (gateway) => `    - { name: ${gateway}, namespace: grid-system, localSiteName: site-local }`,
  );
  return `apiVersion: grid.praxis-proxy.io/v1alpha1
kind: GridNetwork
metadata: { name: ${name} }
spec:
  gatewayRefs:
${refs.join('\n')}
  routingPolicy: scoreFirst
  selectionPolicy: { mode: roundRobin }
`;
}

function provider(name: string, networkRef = 'demo', model = 'demo-model'): string {
  return `apiVersion: grid.praxis-proxy.io/v1alpha1
kind: InferenceProvider
metadata: { name: ${name} }
spec:
  gridNetworkRef: ${networkRef}
  endpoint: ${healthUrl()}
  healthCheck: { path: /${name}, interval: 100ms, timeout: 1s }
  models: [{ name: ${model} }]
`;
}

async function write(name: string, text: string): Promise<void> {
  await mkdir(resources(), { recursive: true });
  await writeFile(join(resources(), name), text);
}

async function start(config: Record<string, unknown> = {}): Promise<AppProcess> {
  app = await startApp({
    app: 'grid-controller',
    configDir: dir.path,
    expect: ['admin'],
    config: {
      resources: './resources',
      publish: { directory: './overlay' },
      reload: { debounceMs: 20, pollMs: 200 },
      ...config,
    },
  });
  return app;
}

async function clusters(file = overlayFile()): Promise<string[] | null> {
  const result = await readFile(file).then(
    (bytes) => parseOverlay(bytes),
    () => null,
  );
  if (result === null) return null;
  return result.ok ? result.overlay.candidates.map((candidate) => candidate.cluster) : null;
}

async function published(wanted: readonly string[], file = overlayFile()): Promise<void> {
  await waitUntil(async () => (await clusters(file))?.join() === wanted.join(), {
    what: `overlay with ${wanted.join()}`,
    timeoutMs: 20_000, // processes, probes and other tests share the machine
  });
}

async function adminStatus(): Promise<{
  gateways: { gateway: string; phase: string; reason: string; message: string }[];
  issues: { code: string; text: string }[];
}> {
  const response = await fetch(`http://127.0.0.1:${app?.port('admin')}/admin/status`);
  return (await response.json()) as Awaited<ReturnType<typeof adminStatus>>;
}

beforeEach(async () => {
  dir = await tempDir();
  status = 200;
  hung = false;
  health = createServer((request, response) => {
    if (request.url === '/provider-hung') {
      hung = true;
      return;
    }
    const code = request.url === '/provider-b' ? status : 200;
    response.writeHead(code).end();
  });
  await new Promise<void>((resolve) => health.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await app?.stop();
  app = undefined;
  health.closeAllConnections();
  await new Promise((resolve) => health.close(resolve));
  await dir.remove();
});

describe('publication', () => {
  it('projects the overlay as Kubernetes projects a ConfigMap, in both forms', async () => {
    await write('network.yaml', network('demo', ['consumer']));
    await write('providers.yaml', `${provider('provider-b')}---\n${provider('provider-a')}`);
    await start();
    await published(['provider-a', 'provider-b']);
    expect(await readlink(overlayFile())).toBe('..data/routing-overlay.json');
    expect(await readlink(join(dir.path, 'overlay/..data'))).toMatch(/^\.\.\d{4}_/);
    const legacy = parseOverlay(await readFile(join(dir.path, 'overlay/routing-config.json')));
    expect(legacy.ok && legacy.overlay.format).toBe('legacy');
  });

  it('writes nothing while the content is unchanged, however often it looks', async () => {
    await write('network.yaml', network('demo', ['consumer']));
    await write('provider.yaml', provider('provider-a'));
    const { port } = await start();
    await published(['provider-a']);
    const before = await lstat(join(dir.path, 'overlay/..data'));
    await write('network.yaml', `# a comment changes no content\n${network('demo', ['consumer'])}`);
    const passes = async (): Promise<number> => {
      const text = await (await fetch(`http://127.0.0.1:${port('admin')}/metrics`)).text();
      expect(text).toContain('switchyard_controller_overlay_writes_total 1');
      return Number(/reconciles_total\{result="ok"\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const seen = await passes();
    await waitUntil(async () => (await passes()) >= seen + 3);
    expect((await lstat(join(dir.path, 'overlay/..data'))).ino).toBe(before.ino);
    expect((await readdir(join(dir.path, 'overlay'))).filter((name) => /^\.\.\d/.test(name))).toHaveLength(1);
  });

  it('restores an overlay that somebody edited or removed', async () => {
    await write('network.yaml', network('demo', ['consumer']));
    await write('provider.yaml', provider('provider-a'));
    await start();
    await published(['provider-a']);
    const good = await readFile(overlayFile(), 'utf8');
    await writeFile(overlayFile(), good.replace('provider-a', 'provider-x'));
    await published(['provider-a']);
    // In one step: a folder that is emptied first may have its content back before it can be removed.
    await rename(join(dir.path, 'overlay'), join(dir.path, 'removed'));
    await published(['provider-a']);
  });

  it('gives each gateway its own folder, and refuses to mix two in one', async () => {
    await write('network.yaml', network('demo', ['east', 'west']));
    await write('provider.yaml', provider('provider-a'));
    await start();
    const gateways = await waitUntil(async () => {
      const found = (await adminStatus()).gateways;
      return found.length === 2 && found;
    });
    expect(gateways.map(({ phase, reason }) => `${phase} ${reason}`)).toEqual([
      'error SharedDirectory',
      'error SharedDirectory',
    ]);
    expect(gateways[0]?.message).toContain('put {gateway}');
    await app?.stop();
    await start({ publish: { directory: './overlay/{gateway}' } });
    await published(['provider-a'], overlayFile('overlay/east'));
    await published(['provider-a'], overlayFile('overlay/west'));
  });
});

describe('health', () => {
  it('takes a provider out of the fresh group when its answer is bad, and back when it is good', async () => {
    await write('network.yaml', network('demo', ['consumer']));
    await write(
      'providers.yaml',
      `${provider('provider-a')}---\n${provider('provider-b')}---\n${provider('provider-c')}`,
    );
    await start();
    await published(['provider-a', 'provider-b', 'provider-c']);
    status = 500;
    await published(['provider-a', 'provider-c', 'provider-b']);
    status = 200;
    await published(['provider-a', 'provider-b', 'provider-c']);
  });

  it('keeps the last overlay when no provider is left', async () => {
    await write('network.yaml', network('demo', ['consumer']));
    await write('provider.yaml', provider('provider-a'));
    await start();
    await published(['provider-a']);
    health.close();
    health.closeAllConnections();
    const gateway = await waitUntil(async () =>
      (await adminStatus()).gateways.find(({ phase }) => phase === 'retained'),
    );
    expect(gateway.reason).toBe('EmptyCandidates');
    expect(await clusters()).toEqual(['provider-a']);
  });
});

describe('bad manifests', () => {
  it('hold back their own network only, with file, path and reason, and recover without a restart', async () => {
    await write('demo.yaml', network('demo', ['consumer']));
    await write('other.yaml', network('other', ['second']));
    await write('provider.yaml', provider('provider-a'));
    await write('other-provider.yaml', provider('provider-o', 'other'));
    await start({ publish: { directory: './overlay/{gateway}' } });
    await published(['provider-a'], overlayFile('overlay/consumer'));
    await write('provider-bad.yaml', provider('provider-b', 'demo', '" "'));
    await write('other-provider-2.yaml', provider('provider-p', 'other'));
    await published(['provider-o', 'provider-p'], overlayFile('overlay/second'));
    // Published is before told: the pass goes on.
    const { issues, gateways } = await waitUntil(async () => {
      const told = await adminStatus();
      return told.issues.length > 0 && told;
    });
    expect(issues.map(({ text }) => text).join()).toMatch(
      /provider-bad\.yaml:\d+: spec\.models\[0\]\.name: /,
    );
    expect(gateways.find(({ gateway }) => gateway === 'consumer')?.phase).toBe('retained');
    expect(await clusters(overlayFile('overlay/consumer'))).toEqual(['provider-a']);
    await write('provider-bad.yaml', provider('provider-b'));
    await published(['provider-a', 'provider-b'], overlayFile('overlay/consumer'));
  });

  it('a file cut in half does not take its providers out of the overlay', async () => {
    await write('network.yaml', network('demo', ['consumer']));
    await write('a.yaml', provider('provider-a'));
    await write('b.yaml', provider('provider-b'));
    await start();
    await published(['provider-a', 'provider-b']);
    await write('b.yaml', '{ "kind": "InferencePro');
    await waitUntil(async () => (await adminStatus()).gateways.some(({ phase }) => phase === 'retained'));
    expect(await clusters()).toEqual(['provider-a', 'provider-b']);
  });

  it('neither does it after a restart, when nobody remembers whose it was; mended or removed it goes on', async () => {
    await write('network.yaml', network('demo', ['consumer']));
    await write('a.yaml', provider('provider-a'));
    await write('b.yaml', provider('provider-b'));
    await start();
    await published(['provider-a', 'provider-b']);
    await app?.stop();
    await write('b.yaml', '{ "kind": "InferencePro');
    await start();
    const kept = await waitUntil(async () => (await adminStatus()).gateways[0]);
    expect(kept).toMatchObject({ phase: 'retained', reason: 'ManifestInvalid' });
    expect(kept.message).toContain('b.yaml');
    expect(await clusters()).toEqual(['provider-a', 'provider-b']);
    await rm(join(resources(), 'b.yaml'));
    await published(['provider-a']);
  });
});

describe('start and stop', () => {
  it('a missing resources folder is said and not fatal: the controller waits for it', async () => {
    const { port } = await start();
    const response = await waitUntil(async () => {
      const answer = await fetch(`http://127.0.0.1:${port('admin')}/readyz`);
      const body = await answer.text();
      return body.includes('ENOENT') && { code: answer.status };
    });
    expect(response.code).toBe(503);
    await write('network.yaml', network('demo', ['consumer']));
    await write('provider.yaml', provider('provider-a'));
    await published(['provider-a']);
    // The file stands a moment before the pass that wrote it is over.
    await waitUntil(async () => (await fetch(`http://127.0.0.1:${port('admin')}/readyz`)).status === 200, {
      what: 'readiness',
    });
  });

  it('an unknown key in the config is exit code 3 with the nearest known key', async () => {
    const file = join(dir.path, 'bad.yaml');
    await writeFile(file, 'resource: ./resources\npublish: { directory: ./overlay }\n');
    const { code, stderr } = await runToExit('grid-controller', ['--config', file]);
    expect(code).toBe(3);
    expect(stderr).toContain('"resources"');
  });

  it('SIGTERM while a first probe hangs ends it at once, and publishes nobody who was not probed', async () => {
    await write('network.yaml', network('demo', ['consumer']));
    await write('providers.yaml', `${provider('provider-a')}---\n${provider('provider-hung')}`);
    const running = await start();
    await waitUntil(() => hung, { what: 'the probe that gets no answer' });
    expect(await running.stop()).toBe(0);
    expect(await clusters()).toBeNull();
  });

  it('SIGTERM ends it with exit code 0 and the overlay stays', async () => {
    await write('network.yaml', network('demo', ['consumer']));
    await write('provider.yaml', provider('provider-a'));
    const running = await start();
    await published(['provider-a']);
    expect(await running.stop()).toBe(0);
    expect((await stat(overlayFile())).isFile()).toBe(true);
  });
});
