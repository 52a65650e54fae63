import { watch } from 'chokidar';

/** What to watch, and how patiently. */
export interface WatchOptions {
  readonly directory: string;
  readonly debounceMs: number;
  readonly pollMs: number;
  /** The folder may have changed. Called after a quiet time, and at every poll. */
  readonly onDirty: () => void;
  /** The watch itself failed; polling goes on. */
  readonly onError: (error: unknown) => void;
}

/**
 * Calls `onDirty` when anything in the folder may have changed. Events are a hint only: they get lost, so the poll
 * calls too, and the reader compares what it reads.
 */
export function watchResources({
  directory,
  debounceMs,
  pollMs,
  onDirty,
  onError,
}: WatchOptions): () => Promise<void> {
  let quiet: NodeJS.Timeout | undefined;
  const dirty = (): void => {
    clearTimeout(quiet);
    quiet = setTimeout(onDirty, debounceMs);
  };
  const watcher = watch(directory, { ignoreInitial: true, depth: 0 });
  watcher.on('all', dirty).on('error', onError);
  const poll = setInterval(onDirty, pollMs);
  return async () => {
    clearTimeout(quiet);
    clearInterval(poll);
    await watcher.close();
  };
}
