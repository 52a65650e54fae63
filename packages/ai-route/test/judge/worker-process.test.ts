import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { OverlayWorker } from '../../src/judge/overlay-worker.ts';
import { type OpenWorker, WorkerProcess } from '../../src/judge/worker-process.ts';
import { sourceArgs } from '../support/source-args.ts';
import { openNode } from '../support/source-lab.ts';

/** Starts a worker; resolves with what is told of its end, once the process is gone. */
async function endOf(open: OpenWorker, startTimeoutMs?: number): Promise<string> {
  let exited: Promise<unknown> | undefined;
  const openAndFollow = () => {
    const child = open();
    exited = once(child, 'exit');
    return child;
  };
  const message = await new Promise<string>((resolve) => {
    const ended = (error: Error): void => resolve(error.message);
    new WorkerProcess(openAndFollow, { reply: () => undefined, ended }, startTimeoutMs);
  });
  await exited;
  return message;
}

describe('a worker process', () => {
  it('that hangs before it has started is ended', async () => {
    const hanging = () => openNode('-e', 'setInterval(() => {}, 1000)');
    expect(await endOf(hanging, 50)).toBe('the overlay worker has not started in 50 ms');
  });

  it('whose reply makes no sense is ended, and this process goes on', async () => {
    for (const bytes of ['01000000020000007a7a', 'ffffffffffffffff']) {
      const raving = () =>
        openNode(
          '-e',
          `require('fs').writeSync(3, Buffer.from('${bytes}', 'hex')); setInterval(() => {}, 1000)`,
        );
      expect(await endOf(raving)).toContain("the overlay worker's reply can't be read");
    }
  });

  // Shells elsewhere have other ways to say how many.
  it.runIf(process.platform === 'linux')(
    'that finds no descriptor left is not started, and says why',
    async () => {
      const node = [process.execPath, ...sourceArgs(new URL('../support/out-of-files.ts', import.meta.url))];
      const { stdout, stderr } = await promisify(execFile)('sh', [
        '-c',
        'ulimit -n 512 && exec "$@"',
        'sh',
        ...node,
      ]);
      expect(stdout).toMatch(/EMFILE$/);
      expect(stderr).toBe('');
    },
  );

  it('that was never started gets no signal, which would be for all processes around it', async () => {
    const worker = new OverlayWorker(() => spawn('/nowhere/node'));
    const input = { file: '/nowhere/overlay.json', bytesMax: 1, parse: {}, seen: [], keepBytes: false };
    const asked = worker.judge(input);
    await worker.close();
    expect(await asked).toBeUndefined();
  });
});
