import type { RequestRecord } from '@switchyard/demo-kit';
import type { RequestRow } from '@switchyard/trace-view';

/** Which of the page's rows a record becomes. */
export interface RowPlace {
  readonly run: number;
  /** Requests of earlier runs: the numbers go on over all of them. */
  readonly before: number;
  /** Epoch milliseconds; null when unknown. */
  readonly sentAtMs: number | null;
}

/** One request as the page lists it. */
export function requestRow(record: RequestRecord, { run, before, sentAtMs }: RowPlace): RequestRow {
  const { n, ...facts } = record;
  return { ...facts, number: before + n, run, sentAtMs };
}
