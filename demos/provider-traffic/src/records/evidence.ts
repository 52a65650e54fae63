import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackendReply, lines, type RequestRecord, readSpans, sha256 } from '@switchyard/demo-kit';
import type { Observations, Records } from './types.ts';

/** Names of the evidence files; `verify` and people look for them, so they are part of the format. */
export const FILES = {
  results: 'results.json',
  requests: 'requests.ndjson',
  spans: 'spans.otlp.jsonl',
  replies: 'backend-replies.ndjson',
  observations: 'observations.json',
  overlay: 'routing-overlay.json',
  markdown: 'report.md',
  html: 'report.html',
  checksums: 'SHA256SUMS',
  config: 'config',
} as const;

/**
 * Reads the raw records of an evidence folder.
 *
 * @throws Error naming the file that is missing or isn't JSON.
 */
export async function readRecords(directory: string): Promise<Records> {
  const text = async (name: string): Promise<string> => {
    try {
      return await readFile(join(directory, name), 'utf8');
    } catch (cause) {
      throw new Error(`${join(directory, name)}: cannot be read; is this an evidence folder of the demo?`, {
        cause,
      });
    }
  };
  const parsed = <C, T>(name: string, content: C, parse: (content: C) => T): T => {
    try {
      return parse(content);
    } catch (cause) {
      throw new Error(`${join(directory, name)}: ${(cause as Error).message}`, { cause });
    }
  };
  const rows = <T>(name: string, content: string): T[] =>
    parsed(name, content, (all) => lines(all).map((line) => JSON.parse(line) as T));
  const overlay = await text(FILES.overlay);
  const exports = lines(await text(FILES.spans));
  return {
    requests: rows<RequestRecord>(FILES.requests, await text(FILES.requests)),
    exports,
    spans: parsed(FILES.spans, exports, readSpans),
    replies: rows<BackendReply>(FILES.replies, await text(FILES.replies)),
    observations: parsed(
      FILES.observations,
      await text(FILES.observations),
      (all) => JSON.parse(all) as Observations,
    ),
    overlay: parsed(FILES.overlay, overlay, (all) => JSON.parse(all) as unknown),
    overlaySha256: sha256(overlay),
  };
}

/** Every file that the evidence of a run has, apart from the checksums. `processes` are the names in `config/`. */
export function evidenceFiles(processes: readonly string[]): string[] {
  const { checksums: _, config, ...files } = FILES;
  return [...Object.values(files), ...processes.map((name) => `${config}/${name}.yaml`)].toSorted();
}
