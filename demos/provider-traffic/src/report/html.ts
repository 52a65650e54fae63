import { exportPage, type PageDocuments } from '@switchyard/trace-view';
import { evidenceFileList } from '../page/evidence-files.ts';
import { acceptedEntry } from '../page/overlay-entry.ts';
import { requestRow } from '../page/request-row.ts';
import { judgedVerdict } from '../page/verdict-document.ts';
import type { Records, Results } from '../records/types.ts';

/** What the page is made of: the verdict, and the records that it follows from. */
export interface HtmlReport {
  readonly results: Results;
  readonly records: Records;
}

/**
 * `report.html`: the live page as one self-contained file. Made of the records alone, so that `verify` can make it again.
 */
export function renderHtml({ results, records }: HtmlReport): string {
  return exportPage({ documents: documentsOf(results, records), exports: records.exports });
}

function documentsOf(results: Results, records: Records): Partial<PageDocuments> {
  const { observations, overlay, requests } = records;
  const sentAt = sendTimes(records);
  return {
    run: {
      title: 'Provider traffic',
      phase: 'idle',
      message: `Recorded ${results.startedAt.slice(0, 19).replace('T', ' ')} UTC.`,
      run: 1,
      requested: results.requests,
      policy: results.policy,
      startedAt: results.startedAt,
      durationMs: results.durationMs,
      tryByHand: null,
    },
    verdict: judgedVerdict(results),
    topology: {
      client: 'demo client',
      gateway: 'consumer-gateway',
      controller: {
        name: 'grid-controller',
        state: observations.controller.stateAfter === 'T' ? 'stopped' : 'running',
      },
      providers: Object.entries(observations.backends).map(([name, backend]) => ({
        name,
        site: observations.activeGroup.find(({ cluster }) => cluster === name)?.site ?? 'not in the group',
        backend,
        state: 'up',
        failedAttempts: 0,
      })),
    },
    requests: requests.map((record) =>
      requestRow(record, { run: 1, before: 0, sentAtMs: sentAt.get(record.traceId) ?? null }),
    ),
    overlays: [acceptedEntry(overlay, { message: 'Serving before, during and after the measured window.' })],
    evidence: { verify: 'pnpm demo verify DIR', files: evidenceFileList('') },
  };
}

/** When the client's span of each trace began, in epoch milliseconds. */
function sendTimes({ spans }: Records): Map<string, number> {
  return new Map(
    spans
      .filter(({ parentSpanId }) => parentSpanId === null)
      .map(({ traceId, startNs }) => [traceId, Number(startNs / 1_000_000n)]),
  );
}
