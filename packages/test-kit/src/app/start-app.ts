import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { tempDir } from '../temp-dir.ts';
import { appEntry, outputTail } from './app-entry.ts';
import { type NodeProcess, type ProcessExit, spawnNode } from './spawn-node.ts';

/** The listeners an app may announce. */
export type ListenerName = 'proxy' | 'admin';

/** Options of {@link startApp}. */
export interface StartAppOptions {
  /** Folder name under `apps/`, or a path from the root such as `demos/provider-traffic`. */
  readonly app: string;
  /** An object is written as JSON (which is YAML); a string is written as it is. */
  readonly config: object | string;
  /** Where the config file is written, so that its relative paths work. Default: a temp directory, removed at exit. */
  readonly configDir?: string;
  /** Arguments after `--config FILE`. */
  readonly args?: readonly string[];
  /** Environment on top of PATH, HOME and the like; the rest of the test's environment is not passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Which listeners to wait for. Default: `admin` if the config object has that key, and `proxy` if it has `listen` or no `admin`. */
  readonly expect?: readonly ListenerName[];
  /** How long the start may take. Default 30000. */
  readonly startTimeoutMs?: number;
  /** How long `stop()` waits before it kills. Default 20000. */
  readonly stopTimeoutMs?: number;
}

/** A running app. */
export interface AppProcess {
  readonly pid: number;
  /** The announced ports. */
  readonly ports: { proxy?: number; admin?: number };
  /** The announced port. @throws Error when the app announced none of that name. */
  port(listener: ListenerName): number;
  /** Path of the config file, for tests that rewrite it. */
  readonly configFile: string;
  /** Complete lines so far. */
  readonly stdout: string[];
  /** Complete lines so far. */
  readonly stderr: string[];
  /** Resolves when the process has ended; never rejects. */
  readonly exited: Promise<ProcessExit>;
  signal(name: NodeJS.Signals): void;
  /** SIGTERM, then SIGKILL after `stopTimeoutMs`. Returns the exit code, null when a signal ended it. */
  stop(): Promise<number | null>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts `node apps/<app>/dist/main.js --config FILE` as a real process and waits until it listens.
 *
 * @throws Error when it has not been built, ends early or does not listen in time; the message has the tail of stderr.
 */
export async function startApp(options: StartAppOptions): Promise<AppProcess> {
  const entry = appEntry(options.app);
  const dir = options.configDir === undefined ? await tempDir() : undefined;
  const configFile = join(options.configDir ?? dir?.path ?? '.', `${basename(options.app)}.config.yaml`);
  await writeFile(configFile, configText(options.config));
  const ports: AppProcess['ports'] = {};
  const expected = options.expect ?? defaultListeners(options.config);
  let check: () => void = () => {};
  const child = spawnNode([entry, '--config', configFile, ...(options.args ?? [])], {
    ...(options.env === undefined ? {} : { env: options.env }),
    onStdoutLine: (line) => {
      readListening(line, ports);
      check();
    },
  });
  if (dir !== undefined) void child.exited.then(() => dir.remove());
  await new Promise<void>((resolve, reject) => {
    const fail = (what: string): void => {
      clearTimeout(timer);
      reject(new Error(`${options.app} ${what}\n${outputTail(child.stderr)}`));
    };
    const timeoutMs = options.startTimeoutMs ?? 30_000;
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`did not announce ${expected.join(' and ')} in ${timeoutMs} ms`);
    }, timeoutMs);
    void child.exited.then(({ code, signal }) => fail(`ended early (${signal ?? `exit ${code}`})`));
    check = () => {
      if (expected.every((name) => ports[name] !== undefined)) {
        clearTimeout(timer);
        resolve();
      }
    };
    check();
  });
  return appProcess(options, child, { ports, configFile });
}

function appProcess(
  options: StartAppOptions,
  child: NodeProcess,
  known: { ports: AppProcess['ports']; configFile: string },
): AppProcess {
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    // A process stopped with SIGSTOP handles SIGTERM only once it continues.
    child.kill('SIGCONT');
    const timer = setTimeout(() => child.kill('SIGKILL'), options.stopTimeoutMs ?? 20_000);
    const { code } = await child.exited;
    clearTimeout(timer);
    return code;
  };
  return {
    ...known,
    pid: child.pid,
    stdout: child.stdout,
    stderr: child.stderr,
    exited: child.exited,
    port: (listener) => {
      const port = known.ports[listener];
      if (port === undefined) throw new Error(`${options.app} announced no ${listener} port`);
      return port;
    },
    signal: (name) => void child.kill(name),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

function configText(config: object | string): string {
  return typeof config === 'string' ? config : `${JSON.stringify(config, null, 2)}\n`;
}

function defaultListeners(config: object | string): ListenerName[] {
  if (typeof config === 'string' || !('admin' in config)) return ['proxy'];
  return 'listen' in config ? ['proxy', 'admin'] : ['admin'];
}

/** Takes `{"event":"listening","listener":"proxy","port":1}`; every other line is the app's own business. */
function readListening(line: string, ports: AppProcess['ports']): void {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { event, listener, port } = value as Record<string, unknown>;
  if (event !== 'listening' || typeof port !== 'number') return;
  if (listener === 'proxy' || listener === 'admin') ports[listener] = port;
}
