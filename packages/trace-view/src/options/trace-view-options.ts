import { existsSync } from 'node:fs';
import type { Hono } from 'hono';
import { type Clock, systemClock } from '../clock.ts';
import { TraceViewError } from '../errors.ts';
import {
  type EventOptions,
  type ResolvedEventOptions,
  resolveEventOptions,
} from '../events/event-options.ts';
import { resolveForwardUrls } from '../forward/forward-urls.ts';
import { pageDirectory } from '../page/page-files.ts';
import { randomToken } from '../random.ts';
import {
  type ReceiverOptions,
  type ResolvedReceiverOptions,
  resolveReceiverOptions,
} from '../receiver/receiver-options.ts';
import { isLoopback } from '../server/listen.ts';
import type { TraceStoreOptions } from '../store/store-options.ts';
import { resolveTraceUrl } from './trace-url.ts';
import { wholeNumber } from './whole-number.ts';

/** How to start a {@link TraceView}. Everything has a default. */
export interface TraceViewOptions {
  /** Address to listen on. Default `127.0.0.1`. Others than loopback need `allowRemote`. */
  readonly host?: string;
  /** Port; 0 picks a free one. Default 4318, to which exporters send unless told otherwise. */
  readonly port?: number;
  /** Listens on an address that other machines can reach. There is no login. Default false. */
  readonly allowRemote?: boolean;
  /** Host names, without port, under which the server is reached besides the loopback ones. Default none. */
  readonly allowedHosts?: readonly string[];
  /** Folder whose files are served at `/`. Default: the page of this package, when it is built. null: no page. */
  readonly pageDirectory?: string | null;
  /** Bounds of the store. */
  readonly store?: TraceStoreOptions;
  /** Limits of the receiver, and who keeps the exports. */
  readonly receiver?: ReceiverOptions;
  /** Bounds and rhythm of the server-sent events. */
  readonly events?: EventOptions;
  /** URLs of OTLP/HTTP back ends that get the same bytes. One without a path gets `/v1/traces`. Default none. */
  readonly forwardTo?: readonly string[];
  /** Where a trace can be seen elsewhere, such as `http://localhost:16686/trace/{traceId}`. Default none. */
  readonly traceUrl?: string;
  /** Longest that a request may take to arrive, in milliseconds. Default 30000. */
  readonly requestMs?: number;
  /** Adds routes. Those that aren't GET need the Origin and the token, like actions. */
  readonly routes?: (app: Hono) => void;
  /** Told what goes wrong without ending anything: back ends that fail, routes that throw. Default: nobody. */
  readonly onWarning?: (message: string) => void;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Makes the token and the epoch: at least 16 letters and digits that nobody can guess. Default: the machine's. */
  readonly randomToken?: () => string;
}

/** {@link TraceViewOptions}, checked, with nothing missing. */
export interface ResolvedTraceViewOptions {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly pageDirectory: string | null;
  readonly store: TraceStoreOptions;
  readonly receiver: ResolvedReceiverOptions;
  readonly events: ResolvedEventOptions;
  readonly forwardTo: readonly string[];
  readonly traceUrl: string | null;
  readonly requestMs: number;
  readonly routes: (app: Hono) => void;
  readonly onWarning: (message: string) => void;
  readonly clock: Clock;
  readonly randomToken: () => string;
}

/** @throws {@link TraceViewError} `invalid_options` or `not_loopback`. */
export function resolveTraceViewOptions(options: TraceViewOptions): ResolvedTraceViewOptions {
  const host = options.host ?? '127.0.0.1';
  if (!isLoopback(host) && options.allowRemote !== true)
    throw new TraceViewError(
      'not_loopback',
      `host ${JSON.stringify(host)} can be reached from other machines, and there is no login; use 127.0.0.1, or set allowRemote`,
    );
  return {
    host,
    port: wholeNumber('port', options.port ?? 4318, { min: 0, max: 65_535 }),
    allowedHosts: [...(options.allowedHosts ?? []).map((name) => name.toLowerCase()), ...ownName(host)],
    pageDirectory: options.pageDirectory === undefined ? builtPage() : options.pageDirectory,
    store: options.store ?? {},
    receiver: resolveReceiverOptions(options.receiver),
    events: resolveEventOptions(options.events),
    forwardTo: resolveForwardUrls(options.forwardTo),
    traceUrl: options.traceUrl === undefined ? null : resolveTraceUrl(options.traceUrl),
    requestMs: wholeNumber('requestMs', options.requestMs ?? 30_000, { min: 1, max: 3_600_000 }),
    routes: options.routes ?? (() => undefined),
    onWarning: options.onWarning ?? (() => undefined),
    clock: options.clock ?? systemClock,
    randomToken: checkedToken(options.randomToken ?? randomToken),
  };
}

function checkedToken(make: () => string): () => string {
  return () => {
    const token = make();
    if (/^[A-Za-z0-9]{16,}$/.test(token)) return token;
    throw new TraceViewError('invalid_options', 'randomToken: expected at least 16 letters and digits');
  };
}

function builtPage(): string | null {
  const directory = pageDirectory();
  return existsSync(directory) ? directory : null;
}

/** The address itself is a name of the server, unless it stands for all addresses. */
function ownName(host: string): string[] {
  if (host === '0.0.0.0' || host === '::') return [];
  return [host.includes(':') ? `[${host}]` : host.toLowerCase()];
}
