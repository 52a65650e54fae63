import { readdir, readFile } from 'node:fs/promises';
import { isAlive, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ask } from './support/client.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { candidatesOfSize } from './support/large-overlay.ts';
import { logged, publishAndServe } from './support/overlay-page.ts';

const LARGE = 900;
const start = (): Promise<TestGateway> =>
  startGateway({ routing: { reload: { debounceMs: 10, pollMs: 50 } } });

/** Processes that another one has started and that run. */
async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const parents = await Promise.all(pids.map(parentOf));
  return pids.filter((pid, index) => parents[index] === parent && isAlive(pid));
}

/** From its status on Linux: state and parent follow the name, which may hold anything. */
async function parentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(status.replace(/^.*\) /s, '').split(' ')[1]);
}

/** Gives the gateway a large overlay; the process that read it. */
async function workerOf(gateway: TestGateway): Promise<number> {
  expect(await childrenOf(gateway.app.pid)).toEqual([]);
  await publishAndServe(gateway, candidatesOfSize(LARGE));
  const [worker, ...others] = await childrenOf(gateway.app.pid);
  if (worker === undefined || others.length > 0) throw new Error('one process should have read the overlay');
  return worker;
}

const ended = (pid: number): Promise<unknown> =>
  waitUntil(() => !isAlive(pid), { what: `process ${pid} to end` });

// Only Linux tells of processes in /proc.
describe.runIf(process.platform === 'linux')('the process that reads large overlays', () => {
  it('is one for all of them, and ends with the gateway', async () => {
    await using gateway = await start();
    const worker = await workerOf(gateway);
    await publishAndServe(gateway, candidatesOfSize(LARGE + 1));
    expect(await childrenOf(gateway.app.pid)).toEqual([worker]);
    expect(await gateway.app.stop()).toBe(0);
    await ended(worker);
  });

  it('is left alone by signals that are meant for the gateway', async () => {
    await using gateway = await start();
    const worker = await workerOf(gateway);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(worker, signal);
    await publishAndServe(gateway, candidatesOfSize(LARGE + 1));
    expect(await childrenOf(gateway.app.pid)).toEqual([worker]);
  });

  it('does not outlive a gateway that is killed', async () => {
    await using gateway = await start();
    const worker = await workerOf(gateway);
    gateway.app.signal('SIGKILL');
    await gateway.app.exited;
    await ended(worker);
  });

  it('is started anew when it was killed; requests notice nothing', async () => {
    await using gateway = await start();
    const worker = await workerOf(gateway);
    process.kill(worker, 'SIGKILL');
    await ended(worker);
    const body = JSON.stringify({ model: 'model-0' });
    expect((await ask(gateway.app.port('proxy'), { body })).status).toBe(200);
    await publishAndServe(gateway, candidatesOfSize(LARGE + 1));
    expect(await childrenOf(gateway.app.pid)).not.toContain(worker);
    expect(logged(gateway, 'overlay_worker_failed')).toEqual([]);
  });
});
