import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type FinishedProcess,
  type NodeProcess,
  runNodeToExit,
  spawnNode,
  tempDir,
  waitUntil,
} from '@switchyard/test-kit';

/** How to run a fixture from its TypeScript source, with this package's sources behind its name. */
export function fixtureArguments(name: string, args: readonly string[]): string[] {
  // tsx is the test kit's dependency, not ours: it is resolved from there.
  const kit = createRequire(import.meta.url).resolve('@switchyard/test-kit/package.json');
  const tsx = pathToFileURL(createRequire(kit).resolve('tsx')).href;
  const file = fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
  return ['--conditions=@switchyard/source', '--import', tsx, file, ...args];
}

/** A config file in a temp dir of its own. */
export interface ConfigFile extends AsyncDisposable {
  readonly path: string;
}

/** Writes `text` as `app.yaml` into a fresh temp dir. */
export async function configFile(text: string): Promise<ConfigFile> {
  const dir = await tempDir();
  const path = join(dir.path, 'app.yaml');
  await writeFile(path, text);
  return { path, [Symbol.asyncDispose]: () => dir.remove() };
}

/** Runs the fixture app until it ends by itself. */
export function runFixture(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<FinishedProcess> {
  return runNodeToExit(fixtureArguments('app.ts', args), { env });
}

/** The fixture app while it runs. */
export interface RunningFixture extends AsyncDisposable {
  readonly process: NodeProcess;
  readonly port: number;
  readonly adminPort: number | undefined;
  /** The JSON log lines so far that have this message. */
  logged(message: string): Record<string, unknown>[];
}

/** Starts the fixture app and waits until it listens. */
export async function startFixture(
  path: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningFixture> {
  const child = spawnNode(fixtureArguments('app.ts', ['--config', path]), { env });
  const logged = (message: string): Record<string, unknown>[] =>
    child.stderr
      .filter((line) => line.startsWith('{'))
      .map(parseLine)
      .filter((line) => line['msg'] === message);
  const [started] = await waitUntil(() => (logged('started').length > 0 ? logged('started') : undefined), {
    timeoutMs: 15_000,
    what: 'the fixture app to start',
  });
  if (started === undefined) throw new Error('not started');
  const ports = child.stdout.map(parseLine).filter((line) => line['event'] === 'listening');
  const portOf = (listener: string): number | undefined => {
    const port = ports.find((line) => line['listener'] === listener)?.['port'];
    return typeof port === 'number' ? port : undefined;
  };
  return {
    process: child,
    port: portOf('proxy') ?? 0,
    adminPort: portOf('admin'),
    logged,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

function parseLine(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>;
}
