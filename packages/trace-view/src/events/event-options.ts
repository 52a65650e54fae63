import { wholeNumber } from '../options/whole-number.ts';

/** Bounds and rhythm of the server-sent events. */
export interface EventOptions {
  /** Most open streams. Default 32. */
  readonly maxClients?: number;
  /** How long changes of traces are gathered before pages hear of them. Milliseconds, default 100. */
  readonly coalesceMs?: number;
  /** How often an idle stream gets a comment. Milliseconds, default 15000. */
  readonly heartbeatMs?: number;
  /** Most deltas kept for clients that are slow or come back. Default 2000. */
  readonly maxEvents?: number;
  /** Most characters of those deltas together. Default 8 Mi. */
  readonly maxCharacters?: number;
  /** Most traces in the state that a page starts with. Default 200. */
  readonly listLimit?: number;
}

/** {@link EventOptions} with nothing missing. */
export type ResolvedEventOptions = Required<EventOptions>;

/** @throws {@link TraceViewError} `invalid_options`. */
export function resolveEventOptions(options: EventOptions = {}): ResolvedEventOptions {
  return {
    maxClients: wholeNumber('events.maxClients', options.maxClients ?? 32, { min: 0 }),
    coalesceMs: wholeNumber('events.coalesceMs', options.coalesceMs ?? 100, { min: 0, max: 60_000 }),
    heartbeatMs: wholeNumber('events.heartbeatMs', options.heartbeatMs ?? 15_000, { min: 1, max: 3_600_000 }),
    maxEvents: wholeNumber('events.maxEvents', options.maxEvents ?? 2_000, { min: 1 }),
    maxCharacters: wholeNumber('events.maxCharacters', options.maxCharacters ?? 8 * 1024 * 1024, { min: 1 }),
    listLimit: wholeNumber('events.listLimit', options.listLimit ?? 200, { min: 1, max: 5_000 }),
  };
}
