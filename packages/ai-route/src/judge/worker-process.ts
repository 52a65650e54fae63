import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { encodeFrame, FrameReader } from './frame.ts';
import type { WorkerJob, WorkerMessage, WorkerReply } from './protocol.ts';

/** Starts the worker process; tests start it from the sources. */
export type OpenWorker = () => ChildProcess;

/** What becomes of a worker process. */
export interface WorkerListener {
  readonly reply: (reply: WorkerReply) => void;
  /** It couldn't be started, or has ended by itself. */
  readonly ended: (error: Error) => void;
}

/** A process that judges files. By itself it doesn't keep this one alive. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #ready = false;

  /** @throws Error when the system refuses another process at once. */
  constructor(open: OpenWorker, { reply, ended }: WorkerListener) {
    const child = open();
    this.#exited = once(child, 'exit').catch(() => undefined);
    child.on('error', ended);
    child.on('exit', (code, signal) => ended(new Error(`the overlay worker ended with ${signal ?? code}`)));
    child.unref();
    const reader = new FrameReader((value) => {
      const message = value as WorkerMessage;
      if (message === 'ready') this.#ready = true;
      else reply(message);
    });
    child.stdout?.on('data', (chunk: Buffer) => reader.push(chunk));
    // There are none when the system is out of descriptors. What breaks one ends the process, and is told as that.
    for (const pipe of [child.stdin, child.stdout]) {
      pipe?.on('error', () => undefined);
      // Pipes to a child are sockets, whatever their type says.
      (pipe as Socket | null)?.unref();
    }
    this.#child = child;
  }

  /** Whether it has been able to work. If it ends then, that is for what it was given. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Sends a job; the process is kept alive for the reply until {@link rest}. */
  send(job: WorkerJob): void {
    this.#child.ref();
    for (const part of encodeFrame(job)) this.#child.stdin?.write(part);
  }

  /** There is no reply to wait for. */
  rest(): void {
    this.#child.unref();
  }

  /** Ends the process, with whatever it is doing. */
  async stop(): Promise<void> {
    this.#child.ref();
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}

/**
 * One thread, its collector's work included: the others that V8 would start have a priority of their own, and it is the
 * requests that should have the cores. Options that are meant for the gateway don't reach it.
 */
export function openWorker(): ChildProcess {
  const main = fileURLToPath(new URL('./worker-main.js', import.meta.url));
  return spawn(process.execPath, ['--single-threaded', main], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: undefined },
    windowsHide: true,
  });
}
