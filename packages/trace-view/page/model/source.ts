import type { TraceDetail } from '../../src/contract/traces.ts';
import type { PageState } from './page-state.ts';

/** Where the page has its facts from: a live server, or the data that an exported page embeds. */
export interface Source {
  state(): PageState;
  /** Calls back after each change, until the returned function is called. */
  subscribe(changed: () => void): () => void;
  /** The spans of one trace; null when it has not arrived, or has left. */
  trace(traceId: string): Promise<TraceDetail | null>;
  /** Posts an action. Null when it was done, else why it was not. */
  act(action: string, input: Readonly<Record<string, unknown>>): Promise<string | null>;
}
