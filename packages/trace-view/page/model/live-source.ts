import type { ActionReply, ViewEvents } from '../../src/contract/events.ts';
import type { TraceDetail } from '../../src/contract/traces.ts';
import {
  fromHello,
  NOTHING_YET,
  type PageState,
  withAppended,
  withDocument,
  withTraces,
} from './page-state.ts';
import type { Source } from './source.ts';

/** How long to wait before a stream that the browser gave up is opened anew, in milliseconds. */
const REOPEN_MS = 2_000;

type Handlers = { [Name in keyof ViewEvents]?: (state: PageState, data: ViewEvents[Name]) => PageState };

const HANDLERS: Handlers = {
  hello: (_state, view) => fromHello(view),
  document: withDocument,
  append: withAppended,
  traces: withTraces,
};

/** The facts of the server that sent this page, kept up to date by its event stream. */
export function liveSource(): Source {
  const listeners = new Set<() => void>();
  let state = NOTHING_YET;
  const become = (next: PageState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  openStream(() => state, become);
  return {
    state: () => state,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    trace: loadTrace,
    act: (action, input) => post(action, { input, token: state.token }),
  };
}

function openStream(current: () => PageState, become: (next: PageState) => void): void {
  const stream = new EventSource('api/events');
  for (const [name, handle] of Object.entries(HANDLERS)) {
    stream.addEventListener(name, (event: MessageEvent<string>) => {
      become((handle as (state: PageState, data: unknown) => PageState)(current(), JSON.parse(event.data)));
    });
  }
  stream.addEventListener('open', () => become({ ...current(), connection: 'live' }));
  stream.addEventListener('error', () => {
    become({ ...current(), connection: 'lost' });
    // A dropped connection is taken up again by the browser itself; after an HTTP error it gives up.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => openStream(current, become), REOPEN_MS);
  });
}

async function loadTrace(traceId: string): Promise<TraceDetail | null> {
  try {
    const response = await fetch(`api/traces/${encodeURIComponent(traceId)}`);
    return response.ok ? ((await response.json()) as TraceDetail) : null;
  } catch {
    return null; // the connection's state is shown at the top of the page
  }
}

async function post(
  action: string,
  { input, token }: { readonly input: Readonly<Record<string, unknown>>; readonly token: string | null },
): Promise<string | null> {
  try {
    const response = await fetch(`api/actions/${encodeURIComponent(action)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-switchyard-token': token ?? '' },
      body: JSON.stringify(input),
    });
    const reply = (await response.json()) as ActionReply;
    return reply.ok ? null : reply.error.message;
  } catch (error) {
    return `the server did not answer: ${(error as Error).message}`;
  }
}
