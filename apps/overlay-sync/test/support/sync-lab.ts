import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TempDir, tempDir, waitUntil } from '@switchyard/test-kit';
import { configSchema } from '../../src/config.ts';
import { OutputFile } from '../../src/output/output-file.ts';
import type { SyncEvent } from '../../src/sync/events.ts';
import { createJudge } from '../../src/sync/judge.ts';
import { SyncState } from '../../src/sync/sync-state.ts';
import { Synchroniser } from '../../src/sync/synchroniser.ts';
import { BackOff } from '../../src/time/back-off.ts';
import { ManualTime } from './manual-time.ts';
import { SCOPE } from './overlays.ts';

/** A synchroniser with a real output file and its state, in time that the test moves. */
export class SyncLab {
  readonly time = new ManualTime();
  readonly events: SyncEvent[] = [];
  readonly state = new SyncState(() => this.time.now());
  readonly file: string;
  readonly output: OutputFile;
  readonly synchroniser: Synchroniser;
  readonly #dir: TempDir;

  private constructor(dir: TempDir) {
    this.#dir = dir;
    this.file = join(dir.path, 'out', 'routing-overlay.json');
    const observe = (event: SyncEvent): void => {
      this.events.push(event);
      this.state.observe(event);
    };
    this.output = new OutputFile({
      file: this.file,
      time: this.time,
      backOff: new BackOff({ initialMs: 1000, maxMs: 30_000 }, () => 0),
      pollMs: 5000,
      debounceMs: 100,
      observe,
      onWatchDegraded: () => undefined,
    });
    const config = configSchema.parse({ source: { file: 'in' }, output: 'out', expectedScope: SCOPE });
    this.synchroniser = new Synchroniser({ judge: createJudge(config), output: this.output, observe });
  }

  static async create(): Promise<SyncLab> {
    return new SyncLab(await tempDir());
  }

  get folder(): string {
    return dirname(this.file);
  }

  /** Tells of a document, and waits until the output file is dealt with. */
  async offer(text: string): Promise<void> {
    this.synchroniser.handle({ type: 'document', bytes: Buffer.from(text) });
    await this.output.look();
  }

  text(): Promise<string> {
    return readFile(this.file, 'utf8');
  }

  /** Somebody else writes the output file. */
  edit(text: string): Promise<void> {
    return writeFile(this.file, text);
  }

  /** What happened since the last call, without the looks that found all well. */
  takeTypes(): string[] {
    return this.events.splice(0).flatMap((event) => {
      if (event.type === 'intact') return [];
      if (event.type === 'unchanged') return [`unchanged ${event.reason}`];
      if (event.type === 'written') return [event.restored ? 'restored' : 'written'];
      return [event.type];
    });
  }

  /** Waits until such an event has come. */
  async seen(type: SyncEvent['type']): Promise<void> {
    await waitUntil(() => this.events.some((event) => event.type === type), { what: `an event ${type}` });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.output.close();
    await this.#dir.remove();
  }
}
