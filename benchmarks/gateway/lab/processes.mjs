// Processes under test: started on one core, read from /proc, and ended whatever happens.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The program under test has this core to itself; backend and load generator share the other. */
export const PROXY_CORE = 0;
export const LOAD_CORE = 1;

const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/**
 * Starts a program on a core. `stdout` and `stderr` are file names, `pipe`, `inherit` or `ignore`.
 * @returns the child with `stop()`, which resolves when it has ended.
 */
export function start(
  command,
  args,
  { core, stdin = 'ignore', stdout = 'ignore', stderr = 'ignore', env, cwd } = {},
) {
  const out = (where) => (['pipe', 'ignore', 'inherit'].includes(where) ? where : openSync(where, 'a'));
  const child = spawn('taskset', ['-c', String(core), command, ...args], {
    stdio: [stdin, out(stdout), out(stderr)],
    env: env ?? process.env,
    cwd,
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const forced = setTimeout(() => child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(forced);
  };
  return child;
}

/** Resolves once something listens on the port; rejects when the process ends first or 30 seconds have passed. */
export async function listening(child, port, errorFile) {
  for (const until = performance.now() + 30_000; performance.now() < until; await pause(50)) {
    if (child.exitCode !== null) break;
    if (await connects(port)) return;
  }
  const said = errorFile === undefined ? '' : readFileSync(errorFile, 'utf8').slice(-1500);
  throw new Error(`nothing listens on ${port}${said === '' ? '' : `: ${said}`}`);
}

function connects(port) {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    const done = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });
}

/** A process and all that descend from it. */
function family(pid) {
  const members = [pid];
  for (const member of members) {
    try {
      for (const task of readdirSync(`/proc/${member}/task`)) {
        const children = readFileSync(`/proc/${member}/task/${task}/children`, 'utf8').trim();
        if (children !== '') members.push(...children.split(' ').map(Number));
      }
    } catch {
      // Ended meanwhile.
    }
  }
  return members;
}

/** Nanoseconds that all threads of all members have been on a core, exactly, from the scheduler's own account. */
export function cpuNs(pid) {
  let sum = 0;
  for (const member of family(pid)) {
    for (const task of readdirSync(`/proc/${member}/task`)) {
      try {
        sum += Number(readFileSync(`/proc/${member}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
      } catch {
        // A thread that ended meanwhile.
      }
    }
  }
  return sum;
}

/** Resident memory of all members in bytes; what they share counts once, in equal parts. */
export function memoryBytes(pid) {
  let sum = 0;
  for (const member of family(pid)) {
    const rollup = readFileSync(`/proc/${member}/smaps_rollup`, 'utf8');
    sum += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]) * 1024;
  }
  return sum;
}

/** A port that nobody uses now. */
export async function freePort() {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
