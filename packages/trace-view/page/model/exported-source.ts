import type { ExportedPage } from '../../src/page/state.ts';
import { fromExport } from './page-state.ts';
import type { Source } from './source.ts';

/** The facts that the page carries with it. They never change. */
export function exportedSource(data: ExportedPage): Source {
  const state = fromExport(data);
  const traces = new Map(data.traces.map((trace) => [trace.traceId, trace]));
  return {
    state: () => state,
    subscribe: () => () => undefined,
    trace: (traceId) => Promise.resolve(traces.get(traceId) ?? null),
    act: () => Promise.resolve('this page is a record: there is nothing to act on'),
  };
}
