import { fileURLToPath } from 'node:url';
import { isAlive, spawnNode, waitUntil } from '@switchyard/test-kit';
import { expect, it } from 'vitest';

const guardModule = fileURLToPath(new URL('../../dist/processes/guard.js', import.meta.url));

/** Starts the guard and a process that it is never told of, as when the demo is killed in between. */
const SCRIPT = `
import { spawn } from 'node:child_process';
import { RUN_MARK, startGuard } from ${JSON.stringify(guardModule)};
startGuard();
const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
  detached: true, stdio: 'ignore', env: { ...process.env, [RUN_MARK]: String(process.pid) },
});
console.log(pid);
setInterval(() => {}, 1000);`;

// Only Linux shows other processes' environments in /proc.
it.runIf(process.platform === 'linux')(
  'a process that the guard was never told of does not outlive a killed demo',
  async () => {
    const demo = spawnNode(['--input-type=module', '-e', SCRIPT]);
    const pid = Number(await waitUntil(() => demo.stdout[0]));
    expect(isAlive(pid)).toBe(true);
    demo.kill('SIGKILL');
    await demo.exited;
    await waitUntil(() => !isAlive(pid), { what: `end of ${pid}` });
  },
);
