import type { TraceDetail } from '../contract/traces.ts';
import { orderSpans } from './order-spans.ts';
import { spanView } from './span-view.ts';
import { missingParents, summarize, type TraceSpans } from './summarize.ts';

/** One trace as a tree, for the page. */
export function traceDetail(trace: TraceSpans): TraceDetail {
  const summary = summarize(trace);
  const startNs = BigInt(summary.startUnixNano);
  return {
    ...summary,
    rows: orderSpans(trace.spans).map(({ depth, place, span }) => ({
      depth,
      place,
      span: spanView(span, startNs),
    })),
    missingParentIds: missingParents(trace.spans),
  };
}
