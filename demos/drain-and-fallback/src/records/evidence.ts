import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackendReply, lines, readSpans } from '@switchyard/demo-kit';
import type { Observations, Records, StepRequest } from './types.ts';

/** Names of the evidence files; `verify` and people look for them, so they are part of the format. */
export const FILES = {
  results: 'results.json',
  requests: 'requests.ndjson',
  spans: 'spans.otlp.jsonl',
  replies: 'backend-replies.ndjson',
  observations: 'observations.json',
  overlay: 'routing-overlay.json',
  markdown: 'report.md',
  checksums: 'SHA256SUMS',
  config: 'config',
} as const;

/** Every file that the evidence of a run has, apart from the checksums. `processes` are the names in `config/`. */
export function evidenceFiles(processes: readonly string[]): string[] {
  const { checksums: _, config, ...files } = FILES;
  return [...Object.values(files), ...processes.map((name) => `${config}/${name}.yaml`)].toSorted();
}

/**
 * Reads the raw records of an evidence folder.
 *
 * @throws Error naming the file that is missing or isn't JSON.
 */
export async function readRecords(directory: string): Promise<Records> {
  const read = async <T>(name: string, parse: (text: string) => T): Promise<T> => {
    const file = join(directory, name);
    try {
      return parse(await readFile(file, 'utf8'));
    } catch (cause) {
      const message = `${file}: ${(cause as Error).message}; is this an evidence folder of the demo?`;
      throw new Error(message, { cause });
    }
  };
  const rows = <T>(text: string): T[] => lines(text).map((line) => JSON.parse(line) as T);
  return {
    requests: await read(FILES.requests, (text) => rows<StepRequest>(text)),
    spans: await read(FILES.spans, (text) => readSpans(lines(text))),
    replies: await read(FILES.replies, (text) => rows<BackendReply>(text)),
    observations: await read(FILES.observations, (text) => JSON.parse(text) as Observations),
  };
}
