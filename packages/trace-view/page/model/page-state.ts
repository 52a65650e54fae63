import type { AppendEvent, DocumentEvent, Json, TracesEvent, ViewState } from '../../src/contract/events.ts';
import type { TraceSummary } from '../../src/contract/traces.ts';
import type { ExportedPage, PageDocuments } from '../../src/page/state.ts';

/** Everything the page shows, as one value that is replaced and never changed. */
export interface PageState {
  /** `recorded`: an exported page, which no server stands behind. */
  readonly connection: 'connecting' | 'live' | 'lost' | 'recorded';
  /** Proof of origin for actions; null where none can be posted. */
  readonly token: string | null;
  /** Where a trace can be seen in another tool, with `{traceId}`; null when nowhere. */
  readonly traceUrl: string | null;
  readonly documents: Partial<PageDocuments>;
  readonly traces: ReadonlyMap<string, TraceSummary>;
}

/** Before anything has arrived. */
export const NOTHING_YET: PageState = {
  connection: 'connecting',
  token: null,
  traceUrl: null,
  documents: {},
  traces: new Map(),
};

/** A `hello` replaces everything. */
export function fromHello(view: ViewState): PageState {
  return {
    connection: 'live',
    token: view.token,
    traceUrl: view.traceUrl,
    documents: view.documents as Partial<PageDocuments>,
    traces: new Map(view.traces.map((trace) => [trace.traceId, trace])),
  };
}

/** The state of a page that carries its data with it. */
export function fromExport({ documents, traces }: ExportedPage): PageState {
  return {
    ...NOTHING_YET,
    connection: 'recorded',
    documents,
    traces: new Map(traces.map((trace) => [trace.traceId, trace])),
  };
}

/** One document is now another. */
export function withDocument(state: PageState, { name, value }: DocumentEvent): PageState {
  return { ...state, connection: 'live', documents: { ...state.documents, [name]: value } };
}

/** A list document has grown at its end, and lost what is too old. */
export function withAppended(state: PageState, { name, items, keep }: AppendEvent): PageState {
  const before = (state.documents as Readonly<Record<string, unknown>>)[name];
  const list: readonly Json[] = [...(Array.isArray(before) ? (before as readonly Json[]) : []), ...items];
  return withDocument(state, { name, value: list.length > keep ? list.slice(-keep) : list });
}

/** Summaries came, changed or left. */
export function withTraces(state: PageState, { changed, removed }: TracesEvent): PageState {
  const traces = new Map(state.traces);
  for (const traceId of removed) traces.delete(traceId);
  for (const trace of changed) traces.set(trace.traceId, trace);
  return { ...state, connection: 'live', traces };
}
