import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TempDir, tempDir } from '@switchyard/test-kit';
import { createRouter, type OverlayRouterOptions, type Router } from '../../src/index.ts';
import { EventLog } from './event-log.ts';
import { at, type OverlayInput, publication } from './overlays.ts';

/** A real overlay file in a directory of its own, and the routers that follow it. */
export class OverlayLab {
  readonly directory: string;
  readonly file: string;
  readonly #temp: TempDir;
  readonly #routers: Router[] = [];
  #writes = 0;

  private constructor(temp: TempDir) {
    this.#temp = temp;
    this.directory = join(temp.path, 'overlay');
    this.file = join(this.directory, 'routing-overlay.json');
  }

  static async create(): Promise<OverlayLab> {
    const lab = new OverlayLab(await tempDir());
    await mkdir(lab.directory);
    return lab;
  }

  get root(): string {
    return this.#temp.path;
  }

  /** Follows the file. Polling is out of the way unless the test asks for it. */
  async follow(options: Partial<OverlayRouterOptions> = {}): Promise<{ router: Router; events: EventLog }> {
    const events = new EventLog();
    const router = await createRouter({
      overlayFile: this.file,
      onEvent: events.record,
      ...options,
      reload: { debounceMs: 10, pollMs: 3_600_000, ...options.reload },
    });
    this.#routers.push(router);
    return { router, events };
  }

  /** A different overlay every time; its text and revision. */
  fresh(input: Partial<OverlayInput> = {}): { text: string; revision: string } {
    return publication({ candidates: [at('a', { rank: ++this.#writes })], ...input });
  }

  /** Writes next to the file and renames over it. */
  async publish(text: string, file: string = this.file): Promise<void> {
    const temporary = join(dirname(file), `.${++this.#writes}.tmp`);
    await writeFile(temporary, text);
    await rename(temporary, file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#routers.map((router) => router.close()));
    await this.#temp[Symbol.asyncDispose]();
  }
}
