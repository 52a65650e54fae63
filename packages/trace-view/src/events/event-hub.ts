import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ForwardState, TracesEvent, ViewState } from '../contract/events.ts';
import type { StoreChange, TraceStore } from '../store/trace-store.ts';
import { Documents } from './documents.ts';
import { EventClient } from './event-client.ts';
import { EventLog } from './event-log.ts';
import type { ResolvedEventOptions } from './event-options.ts';

/** What a hub works with. */
export interface EventHubParts {
  readonly store: TraceStore;
  readonly options: ResolvedEventOptions;
  /** Random, new at each start. */
  readonly epoch: string;
  readonly token: string;
  readonly traceUrl: string | null;
  readonly actions: () => readonly string[];
  readonly forwards: () => readonly ForwardState[];
}

/** Keeps the state that pages show, and tells every open stream what changes in it. */
export class EventHub {
  readonly #parts: EventHubParts;
  readonly #log: EventLog;
  readonly #documents = new Documents();
  readonly #clients = new Set<EventClient>();
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #flush: NodeJS.Timeout | undefined;
  #status: string;

  constructor(parts: EventHubParts) {
    this.#parts = parts;
    const { maxEvents, maxCharacters, heartbeatMs } = parts.options;
    this.#log = new EventLog(parts.epoch, { maxEvents, maxCharacters });
    this.#status = JSON.stringify(this.#currentStatus());
    this.#unsubscribe = parts.store.subscribe((change) => this.#onChange(change));
    this.#heartbeat = setInterval(() => {
      for (const client of this.#clients) client.beat();
    }, heartbeatMs);
    this.#heartbeat.unref();
  }

  /** Everything a page shows, as of now. */
  state(): ViewState {
    const { store, epoch, token, traceUrl, options } = this.#parts;
    const { traces, stats } = store.list({ limit: options.listLimit });
    return {
      epoch,
      token,
      traceUrl,
      ...this.#currentStatus(),
      documents: this.#documents.all(),
      traces,
      stats,
    };
  }

  /** @throws {@link TraceViewError} `invalid_document`. */
  publish(name: string, value: unknown): void {
    this.#log.add('document', { name, value: this.#documents.set(name, value) });
    this.#pump();
  }

  /** @throws {@link TraceViewError} `invalid_document`. */
  append(name: string, items: readonly unknown[], keep: number): void {
    this.#log.add('append', { name, items: this.#documents.append(name, items, keep), keep });
    this.#pump();
  }

  /** Has the actions and the state of forwarding looked at again, soon. */
  touch(): void {
    this.#flush ??= setTimeout(() => this.#flushNow(), this.#parts.options.coalesceMs).unref();
  }

  /** Opens a stream; false when there are too many already. */
  open(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#clients.size >= this.#parts.options.maxClients) return false;
    const id = request.headers['last-event-id'];
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    });
    const client = new EventClient({
      log: this.#log,
      response,
      resumeAt: this.#log.resume(typeof id === 'string' ? id : undefined),
      hello: () => this.#log.frame('hello', this.state(), this.#log.last),
    });
    this.#clients.add(client);
    response.once('close', () => this.#clients.delete(client));
    return true;
  }

  /** Ends all streams and all timers. */
  close(): void {
    this.#unsubscribe();
    clearInterval(this.#heartbeat);
    clearTimeout(this.#flush);
    for (const client of this.#clients) client.end();
  }

  // Many exports a second become a few deltas a second.
  #onChange({ changed, removed }: StoreChange): void {
    for (const traceId of changed) {
      this.#changed.add(traceId);
      this.#removed.delete(traceId);
    }
    for (const traceId of removed) {
      // A trace that no page has seen yet needs no farewell, but telling which those are costs more than telling all.
      this.#changed.delete(traceId);
      this.#removed.add(traceId);
    }
    this.touch();
  }

  #flushNow(): void {
    this.#flush = undefined;
    if (this.#changed.size > 0 || this.#removed.size > 0) this.#log.add('traces', this.#takeTraces());
    const status = this.#currentStatus();
    const text = JSON.stringify(status);
    if (text !== this.#status) {
      this.#status = text;
      this.#log.add('status', status);
    }
    this.#pump();
  }

  #takeTraces(): TracesEvent {
    const { store, options } = this.#parts;
    // Pages list no more than these.
    const { traces, stats } = store.list({ limit: options.listLimit });
    const changed = traces.filter(({ traceId }) => this.#changed.has(traceId));
    const removed = [...this.#removed];
    this.#changed.clear();
    this.#removed.clear();
    return { changed, removed, stats };
  }

  #currentStatus(): Pick<ViewState, 'actions' | 'forwards'> {
    return { actions: this.#parts.actions(), forwards: this.#parts.forwards() };
  }

  #pump(): void {
    for (const client of this.#clients) client.pump();
  }
}
