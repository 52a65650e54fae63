import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
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
  return {
    requests: rows<RequestRecord>(FILES.requests, await text(FILES.requests)),
    spans: parsed(FILES.spans, await text(FILES.spans), (all) => readSpans(lines(all))),
    replies: rows<BackendReply>(FILES.replies, await text(FILES.replies)),
    observations: parsed(
      FILES.observations,
      await text(FILES.observations),
      (all) => JSON.parse(all) as Observations,
    ),
    overlay: parsed(FILES.overlay, await text(FILES.overlay), (all) => JSON.parse(all) as unknown),
  };
}

/** Writes `SHA256SUMS` over every other evidence file, in the format of `sha256sum -c`. */
export async function writeChecksums(directory: string): Promise<void> {
  const sums = await Promise.all(
    (await evidenceFiles(directory)).map((name) => checksumLine(directory, name)),
  );
  await writeFile(join(directory, FILES.checksums), sums.join(''));
}

/** Names of the files whose content no longer matches `SHA256SUMS`, or that it names and that are gone. */
export async function changedFiles(directory: string): Promise<string[]> {
  const sums = lines(await readFile(join(directory, FILES.checksums), 'utf8'));
  const changed: string[] = [];
  for (const line of sums) {
    const name = line.slice(66);
    const now = await checksumLine(directory, name).catch(() => '');
    if (now.trimEnd() !== line) changed.push(name);
  }
  return changed;
}

async function checksumLine(directory: string, name: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(join(directory, name)))
    .digest('hex');
  return `${digest}  ${name}\n`;
}

/** Evidence files in a stable order; `run/` holds the working state of the processes and is no evidence. */
async function evidenceFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => name !== FILES.checksums && !name.startsWith('run/'))
    .toSorted();
}
