import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { isSea } from 'node:sea';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ColumnMemory } from './column-memory.ts';
import { encodeFrame, FrameReader } from './frame.ts';
import { REPLIES_FD, type WorkerJob, type WorkerMessage, type WorkerReply } from './protocol.ts';

/** Starts the worker process; tests start it from the sources. */
export type OpenWorker = () => ChildProcess;

/** What becomes of a worker process. */
export interface WorkerListener {
  readonly reply: (reply: WorkerReply) => void;
  /** It couldn't be started, or has ended by itself. May be told more than once. */
  readonly ended: (error: Error) => void;
}

/** A machine that is short of processes or memory may leave one hanging before it has come to anything. */
const START_TIMEOUT_MS = 30_000;

const memory = new ColumnMemory();

/** A process that judges files. By itself it doesn't keep this one alive. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #ended: (error: Error) => void;
  readonly #startTimer: NodeJS.Timeout;
  #ready = false;

  /** @throws Error when the system refuses another process at once. */
  constructor(open: OpenWorker, { reply, ended }: WorkerListener, startTimeoutMs: number = START_TIMEOUT_MS) {
    const child = open();
    this.#child = child;
    this.#ended = ended;
    this.#exited = once(child, 'exit').catch(() => undefined);
    child.on('error', ended);
    child.on('exit', (code, signal) => ended(new Error(`the overlay worker ended with ${signal ?? code}`)));
    child.unref();
    this.#startTimer = setTimeout(() => {
      this.#give(`the overlay worker has not started in ${startTimeoutMs} ms`);
    }, startTimeoutMs).unref();
    const reader = new FrameReader(
      (value) => {
        const message = value as WorkerMessage;
        if (message === 'ready') this.#isReady();
        else reply(message);
      },
      (bytes) => memory.allocate(bytes),
    );
    // There are no pipes when the system is out of descriptors. What breaks one ends the process, and is told as that.
    const stdio: ChildProcess['stdio'] | undefined = child.stdio;
    const replies = stdio?.[REPLIES_FD] as Readable | null | undefined;
    replies?.on('data', (chunk: Buffer) => this.#read(reader, chunk));
    for (const pipe of [child.stdin, replies]) {
      pipe?.on('error', () => undefined);
      // Pipes to a child are sockets, whatever their type says.
      (pipe as Socket | null | undefined)?.unref();
    }
  }

  /** Whether it has come as far as waiting for jobs. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Sends a job; this process is kept alive for the reply until {@link rest}. */
  send(job: WorkerJob): void {
    const frame = encodeFrame(job);
    this.#child.ref();
    for (const part of frame) this.#child.stdin?.write(part);
  }

  /** There is no reply to wait for. */
  rest(): void {
    this.#child.unref();
  }

  /** Ends the process, with whatever it is doing. */
  async stop(): Promise<void> {
    this.#child.ref();
    this.#kill();
    await this.#exited;
  }

  #isReady(): void {
    this.#ready = true;
    clearTimeout(this.#startTimer);
  }

  #read(reader: FrameReader, chunk: Uint8Array): void {
    try {
      reader.push(chunk);
    } catch (error) {
      this.#give(`the overlay worker's reply can't be read: ${String(error)}`);
    }
  }

  #give(message: string): void {
    this.#kill();
    this.#ended(new Error(message));
  }

  #kill(): void {
    clearTimeout(this.#startTimer);
    // Without an id it was never started, and the signal would be for this process' own group.
    if (this.#child.pid !== undefined) this.#child.kill('SIGKILL');
    // It ends at the end of its input, should it be out of reach.
    this.#child.stdin?.destroy();
  }
}

/**
 * V8 collects on the one thread that judges, so that the whole of the work gives way. Replies have a pipe of their own:
 * what is printed in there, by a module that `NODE_OPTIONS` preloads say, goes where errors go.
 *
 * @throws Error in a single executable application, which would be started a second time.
 */
export function openWorker(): ChildProcess {
  if (isSea()) throw new Error('a single executable application has no worker process');
  const main = fileURLToPath(new URL('./worker-main.js', import.meta.url));
  // A debugger has taken the port that `NODE_OPTIONS` may name.
  return spawn(process.execPath, ['--single-threaded', '--inspect-port=0', main], {
    stdio: ['pipe', 2, 2, 'pipe'],
    windowsHide: true,
  });
}
