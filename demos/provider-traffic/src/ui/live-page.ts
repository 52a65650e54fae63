import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTraceView, type TraceView } from '@switchyard/trace-view';
import type { RunCommand, UiOptions } from '../cli/options.ts';
import { DOWNLOADS, evidenceFileList } from '../page/evidence-files.ts';
import { FILES } from '../records/evidence.ts';
import type { FinishedRun } from '../run/run-demo.ts';
import { offerActions } from './act/actions.ts';
import { Session } from './act/session.ts';
import { LiveRun } from './show/live-run.ts';
import { PagePublisher } from './show/page-publisher.ts';
import { SpanRecorder } from './show/span-recorder.ts';

/** The page of one demo: a trace receiver with a view of everything that happens. */
export interface LivePage {
  readonly url: string;
  /** Where processes send their spans. */
  readonly tracesUrl: string;
  /** To be told of the run. */
  readonly observer: LiveRun;
  /** Shows the verdict and the evidence, and lets people act. */
  handOver(finished: FinishedRun, given: { verify: string; tryByHand: string; signal: AbortSignal }): void;
  close(): Promise<void>;
}

/** Starts the page before anything else, so that it can be watched from the first request on. */
export async function startLivePage(
  command: RunCommand,
  ui: UiOptions,
  directory: string,
): Promise<LivePage> {
  const recorder = new SpanRecorder((spans) => live.received(spans));
  recorder.writeTo(join(directory, FILES.spans));
  const view = await startTraceView({
    port: ui.port,
    store: { maxTraces: 10_000 },
    receiver: { encodings: ['json'], onExport: (received) => recorder.keep(received) },
    routes: (app) =>
      app.get('/evidence/:name', async (c) => {
        const name = c.req.param('name');
        if (!DOWNLOADS.includes(name)) return c.notFound();
        const content = await readFile(join(directory, name)).catch(() => null);
        if (content === null) return c.text('not written yet: the run has no verdict so far\n', 404);
        return c.body(new Uint8Array(content), 200, {
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename="${name}"`,
        });
      }),
    ...(ui.traceUrl === null ? {} : { traceUrl: ui.traceUrl }),
    ...(ui.forwardTo === null ? {} : { forwardTo: [ui.forwardTo] }),
  });
  const page = new PagePublisher(view);
  const live = new LiveRun(page, command.policy);
  return {
    url: view.url,
    tracesUrl: `${view.url}v1/traces`,
    observer: live,
    handOver: (finished, { verify, tryByHand, signal }) => {
      // The evidence of the first run is complete; what comes now must not change it.
      recorder.writeTo(null);
      live.judged(finished.results);
      live.tryByHand(tryByHand);
      page.set('evidence', { verify, files: evidenceFileList('evidence/') });
      const { requests, policy, seed } = command;
      const session = new Session({
        finished,
        directory,
        requests,
        policy,
        seed,
        live,
        page,
        recorder,
        signal,
      });
      offerActions(view, session);
    },
    close: () => closePage(page, view),
  };
}

function closePage(page: PagePublisher, view: TraceView): Promise<void> {
  page.close();
  return view.close();
}
