import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/** What a directory watch tells. Neither says what happened, only that it is time to look. */
export interface DirectoryWatchListener {
  /** Something in or about the directory changed. */
  hint(): void;
  /** The system refuses to watch. Told once, until watching works again. */
  degraded(error: NodeJS.ErrnoException): void;
}

/** Opens a watcher; tests put in one that fails. */
export type OpenWatcher = (directory: string) => FSWatcher;

/**
 * Watches the directory a file lives in, never the file: a watch on the file is lost for good by a burst of renames,
 * by two quick ConfigMap swaps or by a reused inode, and nothing says so.
 *
 * While the directory doesn't exist, its nearest existing ancestor is watched. A directory that was removed, recreated
 * or replaced is recognised by its identity at the next {@link check}.
 */
export class DirectoryWatch {
  readonly #directory: string;
  readonly #listener: DirectoryWatchListener;
  readonly #open: OpenWatcher;
  #watcher: FSWatcher | undefined;
  #armedOn: string | undefined;
  #checking: Promise<void> | undefined;
  /** Ends the wait for a watcher to be ready. */
  #stopWaiting: () => void = () => undefined;
  #degraded = false;
  #closed = false;

  constructor(directory: string, listener: DirectoryWatchListener, open: OpenWatcher = openWatcher) {
    this.#directory = directory;
    this.#listener = listener;
    this.#open = open;
  }

  /** Whether events can arrive. */
  get armed(): boolean {
    return this.#watcher !== undefined;
  }

  /** Arms the watch, or arms it anew if the directory is no longer the one being watched. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#disarm();
    await this.#checking;
  }

  async #check(): Promise<void> {
    // The directory may change while the watch is being set up; then the loop goes round once more.
    while (!this.#closed) {
      const target = await nearestExisting(this.#directory);
      if (this.#closed || target.identity === this.#armedOn) return;
      await this.#disarm();
      if (this.#closed || !(await this.#arm(target))) return;
    }
  }

  async #arm({ path, identity }: Target): Promise<boolean> {
    const watcher = this.#open(path);
    this.#watcher = watcher;
    this.#armedOn = identity;
    const ready = new Promise<void>((resolve) => {
      this.#stopWaiting = resolve;
      watcher.once('ready', resolve);
    });
    // `raw` comes for every event the system reports, before chokidar filters and throttles: a burst has a last hint.
    watcher.on('raw', () => this.#listener.hint());
    watcher.on('all', () => this.#listener.hint());
    watcher.on('error', (error) => this.#fail(watcher, error as NodeJS.ErrnoException));
    await ready;
    if (this.#watcher !== watcher) return false;
    this.#degraded = false;
    return true;
  }

  #fail(watcher: FSWatcher, error: NodeJS.ErrnoException): void {
    if (this.#watcher !== watcher) return;
    // Whatever the reason, this watcher can't be trusted any more. The next check tries again.
    void this.#disarm();
    if (!this.#degraded) this.#listener.degraded(error);
    this.#degraded = true;
  }

  async #disarm(): Promise<void> {
    const watcher = this.#watcher;
    this.#watcher = undefined;
    this.#armedOn = undefined;
    this.#stopWaiting();
    await watcher?.close();
  }
}

interface Target {
  readonly path: string;
  readonly identity: string;
}

async function nearestExisting(directory: string): Promise<Target> {
  for (let path = directory; ; path = dirname(path)) {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    if (found?.isDirectory()) {
      // The birth time tells a recreated directory from its predecessor when the file system reuses the inode.
      return { path, identity: `${path} ${found.dev} ${found.ino} ${found.birthtimeNs}` };
    }
    if (path === dirname(path)) return { path, identity: path };
  }
}

function openWatcher(directory: string): FSWatcher {
  return watch(directory, {
    depth: 0,
    ignoreInitial: true,
    // Persistent watchers of one path share a handle in the whole process. After the directory is replaced, a router
    // that arms anew would be handed the handle of the old one, for as long as another router still holds it. (On
    // Windows only persistent watchers survive that the directory is removed.)
    persistent: process.platform === 'win32',
    // Only the directory itself: watching its entries one by one costs a handle each and adds nothing.
    ignored: (path) => path !== directory,
  });
}
