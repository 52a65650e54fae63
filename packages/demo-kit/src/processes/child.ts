import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { RUN_MARK } from './guard.ts';

/** How many lines of a child's log are shown when it dies. */
const TAIL_LINES = 15;
/** How long a child may take to end after SIGTERM before it is killed, in milliseconds. */
const STOP_GRACE_MS = 3_000;

/** How to start one process of the topology. */
export interface ChildOptions {
  /** Name shown to people, such as `provider-a`. */
  readonly name: string;
  /** Arguments to this Node: script first. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** File that everything the process prints is appended to: a process may be started again. */
  readonly logFile: string;
  /** Listeners (`proxy`, `admin`, `otlp`) whose ports must be announced before the process counts as started. */
  readonly listeners: readonly string[];
  /** Called with every JSON object that the process prints on standard output. */
  readonly onEvent?: (event: Readonly<Record<string, unknown>>) => void;
  /** Called with every line of its log: the JSON objects that it prints on standard error. */
  readonly onLog?: (entry: Readonly<Record<string, unknown>>) => void;
  /** Called when the process ends although nobody stopped it. */
  readonly onDeath: (message: string) => void;
}

/** One running process of the topology. */
export class Child {
  readonly name: string;
  readonly ports: Record<string, number> = {};
  readonly #process: ChildProcess;
  readonly #log: WriteStream;
  readonly #tail: string[] = [];
  readonly #ended: Promise<void>;
  #stopping = false;

  /** Resolves once every listener is announced; rejects with the tail of its log when the process ends before. */
  readonly listening: Promise<void>;

  /** Starts the process; nothing is awaited, so that the caller can hold on to it from its first moment. */
  static spawn(options: ChildOptions): Child {
    return new Child(options);
  }

  private constructor(options: ChildOptions) {
    this.name = options.name;
    this.#log = createWriteStream(options.logFile, { flags: 'a' });
    // Its own process group: Ctrl-C in the terminal reaches the demo alone, which then stops the rest in order.
    this.#process = spawn(process.execPath, options.args, {
      env: { ...inherited(process.env), ...options.env, [RUN_MARK]: String(process.pid) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#ended = new Promise((resolve) => this.#process.once('close', () => resolve()));
    this.listening = this.#listening(options);
    this.#process.once('exit', (code, signal) => {
      if (!this.#stopping)
        options.onDeath(this.#obituary(code === null ? `signal ${signal}` : `exit code ${code}`));
    });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Sends a signal to this process alone. */
  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Ends the process: SIGTERM first, SIGKILL when it takes too long. A stopped process is continued so that it can end. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill('SIGTERM');
      this.#process.kill('SIGCONT');
      const timer = setTimeout(() => this.#process.kill('SIGKILL'), STOP_GRACE_MS);
      await this.#ended;
      clearTimeout(timer);
    }
    this.#log.end();
  }

  /** Ends the process now, without waiting: for the last moments of the demo itself. */
  kill(): void {
    this.#stopping = true;
    this.#process.kill('SIGKILL');
  }

  #listening(options: ChildOptions): Promise<void> {
    const { stdout, stderr } = this.#process;
    if (stdout === null || stderr === null) throw new Error(`${this.name}: started without pipes`);
    return new Promise((resolve, reject) => {
      createInterface({ input: stdout }).on('line', (line) => {
        this.#remember(line);
        const event = parseEvent(line);
        if (event === null) return;
        if (event['event'] === 'listening') {
          this.ports[String(event['listener'])] = Number(event['port']);
          if (options.listeners.every((listener) => this.ports[listener] !== undefined)) resolve();
        }
        options.onEvent?.(event);
      });
      createInterface({ input: stderr }).on('line', (line) => {
        this.#remember(line);
        const entry = options.onLog === undefined ? null : parseEvent(line);
        if (entry !== null) options.onLog?.(entry);
      });
      this.#process.once('error', reject);
      this.#process.once('close', (code, signal) =>
        reject(new Error(this.#obituary(code === null ? `signal ${signal}` : `exit code ${code}`))),
      );
    });
  }

  #remember(line: string): void {
    this.#log.write(`${line}\n`);
    this.#tail.push(line);
    if (this.#tail.length > TAIL_LINES) this.#tail.shift();
  }

  #obituary(how: string): string {
    const tail = this.#tail.map((line) => `    ${line}`).join('\n');
    return `${this.name} (pid ${this.pid}) ended with ${how}. The end of its log:\n${tail === '' ? '    (empty)' : tail}`;
  }
}

/**
 * What a child gets of the caller's environment: all but `OTEL_*`, which would rename, sample or send away the very
 * spans that are counted.
 */
function inherited(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('OTEL_')));
}

function parseEvent(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null; // a log line that only looks like JSON
  }
}
