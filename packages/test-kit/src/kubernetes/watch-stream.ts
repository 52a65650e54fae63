import type { ServerResponse } from 'node:http';
import type { ConfigMapStore, StoredConfigMap, StoreEvent } from './config-map-store.ts';
import { statusObject } from './status-object.ts';

/** One watch in progress. */
export interface WatchStream {
  /** From which resource version it was asked. */
  readonly from: number;
  /** Tells the version reached, without an event. Does nothing when the client asked for no bookmarks. */
  bookmark(): void;
  /** Ends it as the server does after `timeoutSeconds`. */
  end(): void;
  /** Cuts the connection. */
  drop(): void;
  /** Says in the stream that the history is gone, and ends it. */
  expire(): void;
  /** Writes raw text, such as half an event. */
  write(text: string): void;
}

/** What a watch was asked for. */
export interface WatchRequest {
  readonly from: number;
  readonly bookmarks: boolean;
  readonly matches: (object: StoredConfigMap) => boolean;
  /** The stream has ended, however it did. */
  readonly onClose: (stream: WatchStream) => void;
}

/**
 * Answers with one JSON object per line, for each change after `from`. The head leaves at once.
 * @throws StoreError 410 before anything is sent, when the history doesn't reach back so far.
 */
export function startWatch(
  response: ServerResponse,
  store: ConfigMapStore,
  request: WatchRequest,
): WatchStream {
  const early: StoreEvent[] = [];
  let send = (event: StoreEvent): void => void early.push(event);
  const unfollow = store.follow(request.from, (event) => send(event));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  const line = (type: string, object: unknown): void => {
    response.write(`${JSON.stringify({ type, object })}\n`);
  };
  send = ({ type, object }) => {
    if (request.matches(object)) line(type, object);
  };
  for (const event of early) send(event);
  const stream: WatchStream = {
    from: request.from,
    bookmark() {
      const metadata = { resourceVersion: String(store.version), creationTimestamp: null };
      if (request.bookmarks) line('BOOKMARK', { kind: 'ConfigMap', apiVersion: 'v1', metadata });
    },
    end: () => void response.end(),
    drop: () => void response.destroy(),
    expire() {
      const message = 'The provided resource version is too old.';
      line('ERROR', statusObject({ status: 410, reason: 'Expired', message }));
      response.end();
    },
    write: (text) => void response.write(text),
  };
  response.once('close', () => {
    unfollow();
    request.onClose(stream);
  });
  return stream;
}
