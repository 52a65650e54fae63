import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import {
  isAlive,
  repositoryRoot,
  runNodeToExit,
  runToExit,
  spawnNode,
  startApp,
  tempDir,
  waitUntil,
} from '../src/index.ts';

/** An app in a temp folder: `node dist/main.js --config FILE`, with this body. */
async function plantApp(body: string): Promise<string> {
  const dir = await tempDir();
  onTestFinished(() => dir.remove());
  await mkdir(join(dir.path, 'dist'));
  await writeFile(join(dir.path, 'package.json'), '{"type":"module"}');
  await writeFile(join(dir.path, 'dist', 'main.js'), body);
  return relative(repositoryRoot(), dir.path);
}

const LISTENS = `
  import { readFileSync } from 'node:fs';
  const config = JSON.parse(readFileSync(process.argv[process.argv.indexOf('--config') + 1], 'utf8'));
  process.on('SIGTERM', () => process.exit(7));
  console.log('not json');
  console.log(JSON.stringify({ event: 'listening', listener: 'proxy', port: config.listen.port }));
  console.log(JSON.stringify({ event: 'listening', listener: 'admin', port: config.admin.port }));
  setInterval(() => {}, 1000);
`;

it('waits for the listeners that the config names, and stops with the exit code', async () => {
  const app = await startApp({
    app: await plantApp(LISTENS),
    config: { listen: { port: 1111 }, admin: { port: 2222 } },
  });
  expect(app.ports).toEqual({ proxy: 1111, admin: 2222 });
  expect(app.port('admin')).toBe(2222);
  expect(app.stdout[0]).toBe('not json');
  // Also when it has been frozen.
  app.signal('SIGSTOP');
  expect(await app.stop()).toBe(7);
  expect(isAlive(app.pid)).toBe(false);
});

it('throws with the tail of stderr when the app ends early', async () => {
  const app = await plantApp(`console.error('bad key "listen"'); process.exit(3)`);
  await expect(startApp({ app, config: {} })).rejects.toThrow(/ended early \(exit 3\)\nbad key "listen"/);
});

it('kills an app that never listens', async () => {
  const app = await plantApp(`console.error(process.pid); setInterval(() => {}, 1000)`);
  const error: unknown = await startApp({ app, config: {}, startTimeoutMs: 1000 }).catch((e: unknown) => e);
  const [, pid] = /did not announce proxy in 1000 ms\n(\d+)/.exec(String(error)) ?? [];
  await waitUntil(() => !isAlive(Number(pid)), { what: 'the process to be gone' });
});

it('says how to build an app that is not built', async () => {
  await expect(runToExit('no-such-app', [])).rejects.toThrow('apps/no-such-app/dist/main.js does not exist');
});

it('runs to the end and hands back code and output, without the environment of the test', async () => {
  const script = 'console.log(process.env.VITEST, process.env.A); console.error("e"); process.exit(2)';
  const run = await runNodeToExit(['-e', script], { env: { A: 'b' } });
  expect(run).toEqual({ code: 2, stdout: 'undefined b', stderr: 'e' });
});

it.skipIf(process.platform === 'win32')(
  'leaves no process behind when the test process is killed',
  async () => {
    const kit = pathToFileURL(join(repositoryRoot(), 'packages/test-kit/src/app/spawn-node.ts')).href;
    const script = `
    const { spawnNode } = await import(${JSON.stringify(kit)});
    const inner = spawnNode(['-e', 'setInterval(() => {}, 1000)']);
    console.log(inner.pid);
  `;
    const outer = spawnNode(['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script]);
    const pid = Number(await waitUntil(() => outer.stdout[0], { timeoutMs: 15_000, what: 'the inner pid' }));
    expect(isAlive(pid)).toBe(true);
    outer.kill('SIGKILL');
    await waitUntil(() => !isAlive(pid), { what: 'the inner process to be gone' });
  },
);
