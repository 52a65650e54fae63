import { z } from 'zod';
import { ApiError } from './api-error.ts';

/** A ConfigMap, as far as it matters here. */
export interface ConfigMap {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>> | null | undefined;
  /** Base64. */
  readonly binaryData?: Readonly<Record<string, string>> | null | undefined;
}

/** An answer to a list. */
export interface ConfigMapList {
  /** From where to watch on. */
  readonly resourceVersion: string;
  readonly items: readonly ConfigMap[];
}

/** One event of a watch. */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: ConfigMap }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }
  | { readonly type: 'ERROR'; readonly code: number; readonly message: string };

/** Characters of a server's words that are handed on: they end up in the log and in `/status`. */
const MESSAGE_MAX = 1000;

const texts = z.record(z.string(), z.string()).nullish();
const configMap: z.ZodType<ConfigMap> = z.object({
  metadata: z.object({ name: z.string(), resourceVersion: z.string().min(1) }),
  data: texts,
  binaryData: texts,
});
const list = z.object({
  metadata: z.object({ resourceVersion: z.string().min(1) }),
  items: z.array(configMap).nullish(),
});
const event = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['ADDED', 'MODIFIED', 'DELETED']), object: configMap }),
  z.object({
    type: z.literal('BOOKMARK'),
    object: z.object({ metadata: z.object({ resourceVersion: z.string().min(1) }) }),
  }),
  z.object({
    type: z.literal('ERROR'),
    object: z.object({ code: z.number().nullish(), message: z.string().nullish() }),
  }),
]);

/** @throws {@link ApiError} `malformed_answer`. */
export function readList(bytes: Uint8Array): ConfigMapList {
  const { metadata, items } = decode(bytes, list, 'list');
  return { resourceVersion: metadata.resourceVersion, items: items ?? [] };
}

/** @throws {@link ApiError} `malformed_answer`. */
export function readEvent(line: Uint8Array): WatchEvent {
  const read = decode(line, event, 'watch event');
  switch (read.type) {
    case 'BOOKMARK':
      return { type: 'BOOKMARK', resourceVersion: read.object.metadata.resourceVersion };
    case 'ERROR':
      return {
        type: 'ERROR',
        code: read.object.code ?? 0,
        message: read.object.message?.slice(0, MESSAGE_MAX) ?? '',
      };
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: read.type, object: read.object };
  }
}

/** The words of a `Status` object, if that is what the body holds; they say more than the HTTP status. */
export function statusMessage(body: Uint8Array): string {
  try {
    const status = JSON.parse(new TextDecoder().decode(body)) as { message?: unknown } | null;
    return typeof status?.message === 'string' ? status.message.slice(0, MESSAGE_MAX) : '';
  } catch {
    return '';
  }
}

function decode<T>(bytes: Uint8Array, schema: z.ZodType<T>, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ApiError('malformed_answer', `the ${what} is not JSON`, { cause });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') ?? '';
  const message = `the ${what} is not what the API promises: ${where}: ${issue?.message}`;
  throw new ApiError('malformed_answer', message, { cause: result.error });
}
