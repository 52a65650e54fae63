import { onTestFinished } from 'vitest';
import { startTraceView, type TraceView, type TraceViewOptions } from '../../src/index.ts';

/** Starts a view on a free port without the page; it ends with the test. */
export async function testView(options: TraceViewOptions = {}): Promise<TraceView> {
  const view = await startTraceView({ port: 0, pageDirectory: null, ...options });
  onTestFinished(() => view.close());
  return view;
}

/** Where exports go. */
export function tracesUrl(view: TraceView): string {
  return `${view.url}v1/traces`;
}
