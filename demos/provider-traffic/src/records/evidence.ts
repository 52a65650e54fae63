import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSpans } from './spans.ts';
import type { BackendReply, Observations, Records, RequestRecord } from './types.ts';

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

/** SHA-256 in lower-case hex. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Splits newline-delimited text; blank lines are skipped. */
export function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** One JSON value a line. */
export function ndjson(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** Pretty JSON with a final newline. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

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
  const parsed = <T>(name: string, content: string, parse: (content: string) => T): T => {
    try {
      return parse(content);
    } catch (cause) {
      throw new Error(`${join(directory, name)}: ${(cause as Error).message}`, { cause });
    }
  };
  const rows = <T>(name: string, content: string): T[] =>
    parsed(name, content, (all) => lines(all).map((line) => JSON.parse(line) as T));
  const overlay = await text(FILES.overlay);
  return {
    requests: rows<RequestRecord>(FILES.requests, await text(FILES.requests)),
    spans: parsed(FILES.spans, await text(FILES.spans), (all) => readSpans(lines(all))),
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
