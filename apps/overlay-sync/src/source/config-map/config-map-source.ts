import type { BackOff } from '../../time/back-off.ts';
import type { Jitter, Time } from '../../time/time.ts';
import type { OverlaySource, SourceListener } from '../source.ts';
import { ApiError, asApiError } from './api-error.ts';
import type { ConfigMapApi, ConfigMapName } from './config-map-api.ts';
import { StalenessAlarm } from './staleness-alarm.ts';
import type { ConfigMap, WatchEvent } from './wire.ts';

/** What following a ConfigMap takes. */
export interface ConfigMapSourceOptions extends ConfigMapName {
  /** Key of the ConfigMap's `data`. */
  readonly key: string;
  readonly api: Pick<ConfigMapApi, 'list' | 'watch' | 'close'>;
  readonly listen: SourceListener;
  readonly time: Time;
  readonly jitter: Jitter;
  readonly backOff: BackOff;
  /** How long a list, or the beginning of a watch, may take, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Silence, in milliseconds, after which the connection is no longer believed in. */
  readonly staleAfterMs: number;
  /** A watch that lived this long, in milliseconds, was a good one: the next failure is a first failure. */
  readonly resetAfterMs: number;
}

/** How a session with the API ended. */
type Ending =
  /** The server ended the watch, as it does after `timeoutSeconds`. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'failed'; readonly error: ApiError };

/** Reason of the abort that ends a silent connection. */
const STALE = new Error('the connection to the Kubernetes API went stale');

/** Servers end a watch by themselves after this long; a little more at random keeps many copies from returning at once. */
const WATCH_SECONDS = 240;
const WATCH_JITTER_SECONDS = 60;
/** Keys of a ConfigMap that a message names. */
const KEYS_SHOWN = 10;

/**
 * Follows one ConfigMap: list, then watch from the list's resource version on. A watch that the server ends is resumed
 * from the last version heard of (events and bookmarks tell it); after any failure the ConfigMap is listed anew, so that
 * what was missed meanwhile, a deletion too, is found. Goes on until closed.
 */
export class ConfigMapSource implements OverlaySource {
  readonly #options: ConfigMapSourceOptions;
  readonly #alarm: StalenessAlarm;
  /** From where to watch; undefined asks for a list first. */
  #resourceVersion: string | undefined;
  /** When the running watch began, in monotonic milliseconds. */
  #watchingSince: number | undefined;
  #request = new AbortController();
  #wake: () => void = () => undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(options: ConfigMapSourceOptions) {
    this.#options = options;
    this.#alarm = new StalenessAlarm(options.time, options.staleAfterMs, () => this.#goStale());
  }

  start(): void {
    this.#alarm.heard();
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#alarm.stop();
    this.#request.abort();
    this.#wake();
    await this.#running;
    await this.#options.api.close();
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      this.#watchingSince = undefined;
      const ending = await this.#session();
      if (this.#closed) return;
      this.#report(ending);
      const pauseMs = this.#pauseAfter(ending);
      if (pauseMs > 0) await this.#sleep(pauseMs);
    }
  }

  async #session(): Promise<Ending> {
    try {
      const from = this.#resourceVersion ?? (await this.#list());
      if (this.#closed) return { kind: 'ended' };
      await this.#watch(from);
      return { kind: 'ended' };
    } catch (thrown) {
      this.#resourceVersion = undefined;
      // What the abort of a stale connection looks like from here depends on where it was caught.
      if (this.#request.signal.reason === STALE) return { kind: 'stale' };
      return { kind: 'failed', error: asApiError(thrown, 'Kubernetes API') };
    }
  }

  async #list(): Promise<string> {
    const { api, namespace, name } = this.#options;
    const { resourceVersion, items } = await this.#limited((signal) => api.list(signal));
    // An answer can arrive together with the close.
    if (this.#closed) return resourceVersion;
    this.#alarm.heard();
    const found = items.find((item) => item.metadata.name === name);
    if (found === undefined) this.#tellDeleted(`the ConfigMap ${namespace}/${name} does not exist`);
    else this.#tellDocument(found);
    this.#resourceVersion = resourceVersion;
    return resourceVersion;
  }

  async #watch(resourceVersion: string): Promise<void> {
    const { api, jitter, time } = this.#options;
    const timeoutSeconds = WATCH_SECONDS + Math.floor(jitter() * WATCH_JITTER_SECONDS);
    const events = await this.#limited((signal) => api.watch({ resourceVersion, timeoutSeconds }, signal));
    this.#watchingSince = time.monotonicMs();
    for await (const event of events) {
      if (this.#closed) return;
      this.#take(event);
    }
  }

  #take(event: WatchEvent): void {
    const { namespace, name, listen } = this.#options;
    if (event.type === 'ERROR') {
      const { code, message } = event;
      const text = `the watch of ${namespace}/${name} ended with status ${code}: ${message}`;
      throw new ApiError(code === 410 ? 'expired' : 'status', text);
    }
    this.#alarm.heard();
    if (event.type === 'BOOKMARK') {
      this.#resourceVersion = event.resourceVersion;
      listen({ type: 'alive' });
      return;
    }
    this.#resourceVersion = event.object.metadata.resourceVersion;
    if (event.object.metadata.name !== name) return;
    if (event.type === 'DELETED') this.#tellDeleted(`the ConfigMap ${namespace}/${name} was deleted`);
    else this.#tellDocument(event.object);
  }

  #tellDocument({ data, binaryData }: ConfigMap): void {
    const { namespace, name, key, listen } = this.#options;
    const text = data?.[key];
    const base64 = binaryData?.[key];
    if (text !== undefined) listen({ type: 'document', bytes: Buffer.from(text, 'utf8') });
    else if (base64 !== undefined) listen({ type: 'document', bytes: Buffer.from(base64, 'base64') });
    else {
      const keys = Object.keys({ ...data, ...binaryData });
      const more = keys.length > KEYS_SHOWN ? ` and ${keys.length - KEYS_SHOWN} more` : '';
      const found = keys.length === 0 ? 'no keys at all' : keys.slice(0, KEYS_SHOWN).join(', ') + more;
      const message = `the ConfigMap ${namespace}/${name} has no key ${key}; found ${found}`;
      listen({ type: 'absent', reason: 'missing_key', message });
    }
  }

  #tellDeleted(message: string): void {
    this.#options.listen({ type: 'absent', reason: 'deleted', message });
  }

  #report(ending: Ending): void {
    const { listen } = this.#options;
    switch (ending.kind) {
      case 'ended':
        listen({ type: 'reconnecting', reason: 'stream_ended' });
        return;
      case 'stale':
        listen({ type: 'reconnecting', reason: 'stale' });
        return;
      case 'failed': {
        const { code, message } = ending.error;
        // That the history is gone is no fault of anybody's: the next list tells all.
        if (code === 'expired') {
          listen({ type: 'reconnecting', reason: 'expired' });
          return;
        }
        if (this.#watchingSince !== undefined) listen({ type: 'reconnecting', reason: 'stream_error' });
        // A silence that went on too long is not made better by an error that breaks it.
        listen({ type: 'unavailable', reason: this.#alarm.ringing ? 'stale' : 'api_unavailable', message });
      }
    }
  }

  #pauseAfter(ending: Ending): number {
    const { backOff, resetAfterMs, time } = this.#options;
    const since = this.#watchingSince;
    const goodWatch = since !== undefined && time.monotonicMs() - since >= resetAfterMs;
    if (goodWatch) backOff.reset();
    if (ending.kind === 'stale' || (ending.kind === 'ended' && goodWatch)) return 0;
    const retryAfterMs = ending.kind === 'failed' ? (ending.error.retryAfterMs ?? 0) : 0;
    return Math.max(backOff.next(), retryAfterMs);
  }

  /** Runs a request that must have answered within `requestTimeoutMs`; what it resolves with stays abortable. */
  async #limited<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { time, requestTimeoutMs } = this.#options;
    const controller = new AbortController();
    this.#request = controller;
    if (this.#closed) controller.abort();
    const cancel = time.after(requestTimeoutMs, () =>
      controller.abort(
        new ApiError('timeout', `the Kubernetes API gave no answer within ${requestTimeoutMs} ms`),
      ),
    );
    try {
      return await request(controller.signal);
    } catch (error) {
      throw controller.signal.reason instanceof ApiError ? controller.signal.reason : error;
    } finally {
      cancel();
    }
  }

  #goStale(): void {
    const { listen, staleAfterMs } = this.#options;
    const message = `nothing was heard from the Kubernetes API for ${staleAfterMs} ms`;
    listen({ type: 'unavailable', reason: 'stale', message });
    this.#request.abort(STALE);
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#options.time.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
