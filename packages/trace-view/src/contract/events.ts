import type { StoreStats, TraceSummary } from './traces.ts';

// JSON shapes of `GET /api/events` (server-sent events) and `GET /api/state`. Types only: the page imports this file.
//
// A page keeps one state. `hello` replaces all of it; `document`, `append`, `traces` and `status` change a part. After a lost
// connection the browser sends Last-Event-ID: the missed deltas follow when they are still there, else a `hello`.

/** JSON, as published documents are made of. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** `GET /api/state`, and the data of the event `hello`: everything there is. */
export interface ViewState {
  /** Differs at each start of the server. */
  readonly epoch: string;
  /** To be sent as the header `x-switchyard-token` with each `POST /api/actions/NAME`. */
  readonly token: string;
  /** Where a trace can be seen in another tool, with the placeholder `{traceId}`; null when there is none. */
  readonly traceUrl: string | null;
  /** Names of the actions that may be posted, sorted. */
  readonly actions: readonly string[];
  /** What was published, by name. */
  readonly documents: Readonly<Record<string, Json>>;
  /** Newest first, at most as many as the server's `listLimit`. */
  readonly traces: readonly TraceSummary[];
  readonly stats: StoreStats;
  /** OTLP back ends that spans are passed on to. */
  readonly forwards: readonly ForwardState[];
}

/** How passing spans on to one OTLP back end goes. */
export interface ForwardState {
  readonly url: string;
  /** Exports that the back end took. */
  readonly sent: number;
  /** Exports that it refused, or that could not be sent. */
  readonly failed: number;
  /** Exports thrown away because too many were waiting. */
  readonly dropped: number;
  /** Why the last one failed; null once one went well again. */
  readonly error: string | null;
}

/** Data of the event `document`: the document of this name is now this. */
export interface DocumentEvent {
  readonly name: string;
  readonly value: Json;
}

/** Data of the event `append`: items to put at the end of the list document of this name. */
export interface AppendEvent {
  readonly name: string;
  readonly items: readonly Json[];
  /** Longest the list may be; the oldest items leave. */
  readonly keep: number;
}

/** Data of the event `traces`: which of the newest traces are new or changed, newest first, and ids of those that left. */
export interface TracesEvent {
  readonly changed: readonly TraceSummary[];
  readonly removed: readonly string[];
  readonly stats: StoreStats;
}

/** Data of the event `status`: what of the server itself changed. */
export type StatusEvent = Pick<ViewState, 'actions' | 'forwards'>;

/** Data of the event `resync`: this client was too slow and deltas were left out; a `hello` follows at once. */
export interface ResyncEvent {
  /** How many deltas were left out. */
  readonly skipped: number;
}

/** Every event by its name on the stream. */
export interface ViewEvents {
  readonly hello: ViewState;
  readonly document: DocumentEvent;
  readonly append: AppendEvent;
  readonly traces: TracesEvent;
  readonly status: StatusEvent;
  readonly resync: ResyncEvent;
}

/** Answer to `POST /api/actions/NAME`. */
export type ActionReply =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };
