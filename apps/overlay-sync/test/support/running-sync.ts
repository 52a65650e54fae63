import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppProcess, startApp, type TempDir, tempDir, waitUntil } from '@switchyard/test-kit';
import type { SyncSnapshot } from '../../src/sync/sync-state.ts';
import { SCOPE } from './overlays.ts';

/** Fast enough for tests, the shape as in production. */
const FAST = {
  expectedScope: SCOPE,
  output: './out/routing-overlay.json',
  admin: { port: 0 },
  backOff: { initialMs: 50, maxMs: 200, resetAfterMs: 500 },
  reload: { debounceMs: 20, pollMs: 200 },
};

/** A folder of one test, and the overlay-sync processes that run in it one after the other. */
export class RunningSync {
  readonly dir: TempDir;
  #app: AppProcess | undefined;

  private constructor(dir: TempDir) {
    this.dir = dir;
  }

  static async create(): Promise<RunningSync> {
    return new RunningSync(await tempDir());
  }

  get output(): string {
    return join(this.dir.path, 'out', 'routing-overlay.json');
  }

  get app(): AppProcess {
    if (this.#app === undefined) throw new Error('overlay-sync was not started');
    return this.#app;
  }

  /** The whole config for a source. */
  config(source: object, more: object = {}): object {
    return { ...FAST, source, ...more };
  }

  async start(source: object, more: object = {}): Promise<AppProcess> {
    this.#app = await startApp({
      app: 'overlay-sync',
      configDir: this.dir.path,
      config: this.config(source, more),
      expect: ['admin'],
    });
    return this.#app;
  }

  /** The text of the output file; undefined when it isn't there. */
  text(): Promise<string | undefined> {
    return readFile(this.output, 'utf8').catch(() => undefined);
  }

  async writes(text: string): Promise<void> {
    await waitUntil(async () => (await this.text()) === text, { what: 'the output' });
  }

  async get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const response = await fetch(`http://127.0.0.1:${this.app.port('admin')}${path}`);
    return { status: response.status, text: await response.text() };
  }

  async status(): Promise<SyncSnapshot & Record<string, unknown>> {
    return JSON.parse((await this.get('/status')).text) as SyncSnapshot & Record<string, unknown>;
  }

  /** Waits for a state, such as `ready` or `ready_degraded stale`. */
  async is(wanted: string): Promise<SyncSnapshot> {
    let last = '';
    return waitUntil(
      async () => {
        const status = await this.status();
        last = [status.state, status.degradedReason].filter(Boolean).join(' ');
        if (last !== wanted) throw new Error(`it is ${last}`);
        return status;
      },
      { what: wanted },
    );
  }

  /** A sample of `/metrics`, by its name without the common prefix. */
  async metric(series: string): Promise<number> {
    const { text } = await this.get('/metrics');
    const line = text.split('\n').find((row) => row.startsWith(`switchyard_overlay_sync_${series} `));
    if (line === undefined) throw new Error(`no series ${series}`);
    return Number(line.split(' ').at(-1));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app?.stop();
    await this.dir.remove();
  }
}
