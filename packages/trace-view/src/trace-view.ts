import { type ActionHandler, Actions } from './actions/actions.ts';
import type { ViewState } from './contract/events.ts';
import { EventHub } from './events/event-hub.ts';
import { Forwarder } from './forward/forwarder.ts';
import { resolveTraceViewOptions, type TraceViewOptions } from './options/trace-view-options.ts';
import { OtlpReceiver } from './receiver/otlp-receiver.ts';
import { Guard } from './server/guard.ts';
import { closeServer, listen } from './server/listen.ts';
import { readPageFiles } from './server/page-files.ts';
import { createViewServer } from './server/view-server.ts';
import { createWebApp } from './server/web-app.ts';
import { TraceStore } from './store/trace-store.ts';

/** A running receiver with its store and its page. */
export interface TraceView {
  /** The port it listens on. */
  readonly port: number;
  /** Of the page, such as `http://127.0.0.1:4318/`. Exporters send to `v1/traces` below it. */
  readonly url: string;
  /** The spans. */
  readonly store: TraceStore;
  /** Everything that pages show, as of now. */
  state(): ViewState;
  /**
   * Sets a named document of the state; every page gets it. The value is copied.
   *
   * @param name up to 64 letters, digits, `-` and `_`, a small letter first.
   * @throws {@link TraceViewError} `invalid_document` when the value is not JSON or the name is none.
   */
  publish(name: string, value: unknown): void;
  /**
   * Puts items at the end of a named document that is a list; pages get the items alone.
   *
   * @param keep longest the list may be, the oldest items leave; default 10000.
   * @throws {@link TraceViewError} `invalid_document`, also when the document is no list.
   */
  append(name: string, items: readonly unknown[], keep?: number): void;
  /**
   * Offers an action to pages: `POST /api/actions/NAME`. The handler may throw an {@link ActionError}.
   *
   * @returns takes the offer back.
   * @throws {@link TraceViewError} `invalid_options` when there is one of this name already.
   */
  onAction(name: string, handler: ActionHandler): () => void;
  /** Ends streams, lets running exchanges finish for up to a second, and frees the port. */
  close(): Promise<void>;
}

const CLOSE_GRACE_MS = 1_000;

/**
 * Starts an OTLP/HTTP receiver for traces and the page that shows them, on one port.
 *
 * @throws {@link TraceViewError} `invalid_options`, `not_loopback`, `page_unreadable`, `address_in_use` or
 * `listen_failed`.
 */
export async function startTraceView(options: TraceViewOptions = {}): Promise<TraceView> {
  const resolved = resolveTraceViewOptions(options);
  const { host, traceUrl, onWarning, routes, requestMs } = resolved;
  const page = resolved.pageDirectory === null ? new Map() : await readPageFiles(resolved.pageDirectory);
  const store = new TraceStore(resolved.store, resolved.clock);
  const actions = new Actions();
  const token = resolved.randomToken();
  const forwarders = resolved.forwardTo.map(
    (url) => new Forwarder({ url, onWarning, onChange: () => hub.touch() }),
  );
  const hub = new EventHub({
    store,
    options: resolved.events,
    epoch: resolved.randomToken().slice(0, 12),
    token,
    traceUrl,
    actions: () => actions.names(),
    forwards: () => forwarders.map((forwarder) => forwarder.state),
  });
  const receiver = new OtlpReceiver({
    store,
    options: resolved.receiver,
    pass: (raw) => {
      for (const forwarder of forwarders) forwarder.pass(raw);
    },
  });
  const app = createWebApp({ store, actions, state: () => hub.state(), token, page, routes, onWarning });
  const server = createViewServer({ guard: new Guard(resolved.allowedHosts), receiver, hub, app, requestMs });
  const stop = (): void => {
    hub.close();
    for (const forwarder of forwarders) forwarder.close();
  };
  const port = await listen(server, { host, port: resolved.port }).catch((error: unknown) => {
    stop();
    throw error;
  });
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    store,
    state: () => hub.state(),
    publish: (name, value) => hub.publish(name, value),
    append: (name, items, keep = 10_000) => hub.append(name, items, keep),
    onAction: (name, handler) => {
      actions.add(name, handler);
      hub.touch();
      return () => {
        actions.remove(name);
        hub.touch();
      };
    },
    close: () => {
      stop();
      return closeServer(server, CLOSE_GRACE_MS);
    },
  };
}
