import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { EventLog } from './event-log.ts';
import { sourceArgs } from './source-args.ts';

/** A router in a process of its own. */
export interface ElsewhereRouter {
  readonly events: EventLog;
  /** How it watches, once it has started. */
  readonly watch: Promise<string>;
  stop(): Promise<void>;
}

/** Whether this machine lets the user make a namespace of their own and do `setup` in it. */
export function canUnshare(flags: string, setup: string): boolean {
  try {
    execFileSync('unshare', [flags, 'sh', '-c', setup], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Follows `file` in a namespace in which `setup`, a shell command, was run first. */
export function followElsewhere(flags: string, setup: string, file: string): ElsewhereRouter {
  const node = [process.execPath, ...sourceArgs(new URL('follow-child.ts', import.meta.url)), file];
  const started: ChildProcess = spawn(
    'unshare',
    [flags, 'sh', '-c', `${setup} && exec "$@"`, 'sh', ...node],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const exited = new Promise<void>((resolve) => started.once('exit', () => resolve()));
  const events = new EventLog();
  const watch = new Promise<string>((resolve, reject) => {
    void exited.then(() => reject(new Error('the router ended before it had started')));
    if (started.stdout === null) return;
    createInterface({ input: started.stdout }).on('line', (line) => {
      const event = JSON.parse(line) as
        | Parameters<EventLog['record']>[0]
        | { type: 'started'; watch: string };
      if (event.type === 'started') resolve(event.watch);
      else events.record(event);
    });
  });
  watch.catch(() => undefined);
  return {
    events,
    watch,
    stop() {
      started.stdin?.end();
      return exited;
    },
  };
}
