import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Child, type ChildOptions } from './child.ts';

/** Environment variables. */
export type Env = Readonly<Record<string, string>>;

/** One app to start. */
export interface AppStart {
  /** Name shown to people, and the `service.instance.id` of its spans. */
  readonly name: string;
  /** Folder under `apps/`. */
  readonly app: string;
  /** Its config file; `${NAMES}` in it come from `env`. */
  readonly file: string;
  readonly env: Env;
  /** Listeners that must be announced before it counts as started. */
  readonly listeners: readonly string[];
  readonly onEvent?: ChildOptions['onEvent'];
  readonly onLog?: ChildOptions['onLog'];
}

/** One replaying backend to start. */
export interface BackendStart {
  readonly name: string;
  /** Its config file; it takes `BACKEND_NAME` and `CASSETTES`. */
  readonly file: string;
  readonly onReply: (backend: string, reply: Readonly<Record<string, unknown>>) => void;
}

/** What all processes of a run share. */
export interface StarterOptions {
  /** The repository's root. */
  readonly repository: string;
  /** Working folder of the processes; it gets a folder `logs`. */
  readonly directory: string;
  readonly onDeath: (message: string) => void;
  /** Every started process is put here at once, so that the caller can end them whatever happens. */
  readonly children: Child[];
  /** Called with the pid of every process at once. */
  readonly onSpawn: (pid: number) => void;
  /** Once aborted, nothing more is started: the caller is ending what there is. */
  readonly signal: AbortSignal;
}

/** How long the first overlay may take, in milliseconds. */
const PUBLISH_TIMEOUT_MS = 20_000;
const PUBLISH_POLL_MS = 25;

/** Starts processes with what they share: logs, trace export and the list of children. */
export class Starter {
  /** Config file and environment of each app started so far, for `--print-config`. */
  readonly configs: AppConfig[] = [];
  readonly #options: StarterOptions;
  #tracesUrl = '';

  constructor(options: StarterOptions) {
    this.#options = options;
  }

  /** Where apps send their spans, OTLP over HTTP; empty before {@link receiver}. */
  get tracesUrl(): string {
    return this.#tracesUrl;
  }

  /** Starts an app and waits until it listens. */
  app({ name, app, file, env, listeners, onEvent, onLog }: AppStart): Promise<Child> {
    const known = this.configs.findIndex((config) => config.name === name);
    const config = { name, app, file, env };
    if (known === -1) this.configs.push(config);
    else this.configs[known] = config;
    return this.#start(name, {
      args: [join(this.#options.repository, 'apps', app, 'dist/main.js'), '--config', file],
      env: {
        ...env,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: this.#tracesUrl,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_RESOURCE_ATTRIBUTES: `service.instance.id=${name}`,
        OTEL_BSP_SCHEDULE_DELAY: '200',
        OTEL_BSP_MAX_QUEUE_SIZE: '65536',
        // Evidence needs every span, whatever sampling the caller's shell asks for.
        OTEL_TRACES_SAMPLER: 'always_on',
      },
      listeners,
      ...(onEvent === undefined ? {} : { onEvent }),
      ...(onLog === undefined ? {} : { onLog }),
    });
  }

  /** Starts the process that takes the spans of all others, and tells those started later of it. */
  async receiver(spansFile: string): Promise<void> {
    const script = fileURLToPath(new URL('../otlp-receiver/main.js', import.meta.url));
    const child = await this.#start('otlp-receiver', {
      args: [script, spansFile],
      env: {},
      listeners: ['otlp'],
    });
    this.#tracesUrl = `http://127.0.0.1:${port(child, 'otlp')}/v1/traces`;
  }

  /** Tells the apps started later of a receiver that runs already, instead of {@link receiver}. */
  sendSpansTo(tracesUrl: string): void {
    this.#tracesUrl = tracesUrl;
  }

  /** Starts a backend that replays the recorded answers; `onReply` hears of every reply that it logs. */
  backend({ name, file, onReply }: BackendStart): Promise<Child> {
    return this.app({
      name,
      app: 'vcr-backend',
      file,
      env: { BACKEND_NAME: name, CASSETTES: join(this.#options.repository, 'apps/vcr-backend/cassettes') },
      listeners: ['proxy', 'admin'],
      onEvent: (event) => {
        if (event['event'] === 'reply') onReply(name, event);
      },
    });
  }

  /** Resolves when the controller has published the overlay for the first time. */
  async published(file: string): Promise<void> {
    const { signal, directory } = this.#options;
    const deadline = performance.now() + PUBLISH_TIMEOUT_MS;
    while (!existsSync(file)) {
      if (performance.now() > deadline)
        throw new Error(
          `no overlay at ${file} after ${PUBLISH_TIMEOUT_MS} ms; see the controller's log in ${directory}/logs`,
        );
      await sleep(PUBLISH_POLL_MS, undefined, { signal });
    }
  }

  async #start(name: string, options: Omit<ChildOptions, 'name' | 'logFile' | 'onDeath'>): Promise<Child> {
    this.#options.signal.throwIfAborted();
    const logs = join(this.#options.directory, 'logs');
    await mkdir(logs, { recursive: true });
    const { onDeath } = this.#options;
    const child = Child.spawn({ ...options, name, logFile: join(logs, `${name}.log`), onDeath });
    this.#options.children.push(child);
    this.#options.onSpawn(child.pid);
    await child.listening;
    return child;
  }
}

/** An app with the config file and the environment it was started with. */
export interface AppConfig {
  readonly name: string;
  readonly app: string;
  readonly file: string;
  readonly env: Env;
}

/** The port that a process announced for a listener. */
export function port(child: Child | undefined, listener: string): number {
  const found = child?.ports[listener];
  if (found === undefined) throw new Error(`${child?.name ?? 'process'}: announced no ${listener} port`);
  return found;
}

/** Copies manifests into `directory`, filling in `${NAMES}`: manifests know no variables of their own. */
export async function writeManifests(from: string, directory: string, values: Env): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const name of await readdir(from)) {
    await writeManifest(join(from, name), join(directory, name), values);
  }
}

/** Writes one manifest, filling in `${NAMES}`. A watcher sees the old content or the new, never a part. */
export async function writeManifest(from: string, to: string, values: Env): Promise<void> {
  const text = await readFile(from, 'utf8');
  const temporary = join(dirname(to), `.${basename(to)}.tmp`);
  await writeFile(
    temporary,
    text.replace(/\$\{(\w+)\}/g, (_all, key: string) => values[key] ?? ''),
  );
  await rename(temporary, to);
}
