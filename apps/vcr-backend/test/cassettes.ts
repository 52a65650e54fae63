import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Cassette } from '../src/cassette/format.ts';
import { sealCassette } from '../src/cassette/hash.ts';
import { parseCassette } from '../src/cassette/parse.ts';

/** The cassettes that come with the app. */
export const CHECKED_IN: string = fileURLToPath(new URL('../cassettes/', import.meta.url));

/** What a test cares about; everything else gets a plain value. */
export interface CassetteParts {
  readonly id?: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks?: readonly { offsetMs: number; text?: string; base64?: string }[];
}

/** A cassette document without its hash. */
export function cassetteDocument(parts: CassetteParts = {}): Record<string, unknown> {
  return {
    schemaVersion: 1,
    id: parts.id ?? 'test',
    recordedAt: '2026-01-02T03:04:05.000Z',
    source: 'made by a test',
    request: {
      match: {
        method: parts.method ?? 'POST',
        path: parts.path ?? '/v1/chat/completions',
        body: parts.body === undefined ? { model: 'm', messages: [] } : parts.body,
      },
    },
    response: {
      status: parts.status ?? 200,
      headers: parts.headers ?? { 'content-type': 'application/json' },
      chunks: parts.chunks ?? [{ offsetMs: 5, text: '{}' }],
    },
  };
}

/** The text of a sealed cassette file. */
export function sealedText(parts: CassetteParts = {}): string {
  return sealCassette(cassetteDocument(parts));
}

/** A verified cassette. */
export function cassette(parts: CassetteParts = {}): Cassette {
  const result = parseCassette(Buffer.from(sealedText(parts)));
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.cassette;
}

/** Chunks of an event stream, 10 ms apart from the given start. */
export function frames(texts: readonly string[], startMs = 40): { offsetMs: number; text: string }[] {
  return texts.map((text, index) => ({ offsetMs: startMs + 10 * index, text }));
}

export const EVENT_STREAM: Readonly<Record<string, string>> = { 'content-type': 'text/event-stream' };

/** A text that matches, for `toEqual`. */
export function like(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}
