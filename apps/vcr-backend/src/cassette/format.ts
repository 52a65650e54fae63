import { z } from 'zod';
import { cassetteHeaderNameAllowed } from './headers.ts';

/** The one cassette format this version reads. */
export const CASSETTE_SCHEMA_VERSION = 1;

/** One piece of a body, exactly as the recorded server wrote it. */
interface CassetteChunk {
  /** Milliseconds between the end of the request and this chunk, as recorded. Never falls within a cassette. */
  readonly offsetMs: number;
  /** The bytes, decoded once at load. */
  readonly bytes: Buffer;
}

/** One recorded interaction, verified and ready to be played. */
export interface Cassette {
  /** Unique name, used in headers, logs and messages. */
  readonly id: string;
  /** When it was recorded, as ISO 8601 text. */
  readonly recordedAt: string;
  /** Where the recording comes from, in words. */
  readonly source: string;
  /** Which request it answers. A body of `null` stands for an empty one. */
  readonly match: { readonly method: string; readonly path: string; readonly body: unknown };
  /** The recorded answer. */
  readonly response: CassetteResponse;
}

/** The recorded answer of a {@link Cassette}. */
export interface CassetteResponse {
  /** HTTP status, 200 to 599. */
  readonly status: number;
  /** Allow-listed headers, lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly CassetteChunk[];
  /** Sum of all chunks, in bytes. */
  readonly byteLength: number;
}

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);
const LONE_SURROGATE = /\p{Surrogate}/u;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const headersSchema = z
  .record(z.string(), z.string().regex(HEADER_VALUE, 'not a legal header value'))
  .check((ctx) => {
    for (const name of Object.keys(ctx.value)) {
      if (cassetteHeaderNameAllowed(name)) continue;
      ctx.issues.push({
        code: 'custom',
        input: name,
        path: [name],
        message:
          'this header is not on the allow-list: replaying it could lie about the connection or leak an account',
      });
    }
  });

const chunkSchema = z
  .strictObject({
    offsetMs: z.number().min(0),
    text: z
      .string()
      .refine((text) => !LONE_SURROGATE.test(text), 'holds half a character: store this chunk as base64')
      .optional(),
    base64: z
      .string()
      .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, 'not canonical base64')
      .optional(),
  })
  .refine(
    (chunk) => (chunk.text === undefined) !== (chunk.base64 === undefined),
    'needs exactly one of text and base64',
  );

const chunksSchema = z.array(chunkSchema).check((ctx) => {
  let previousMs = 0;
  for (const [index, chunk] of ctx.value.entries()) {
    if (chunk.offsetMs < previousMs) {
      const message = `goes back in time: ${chunk.offsetMs} after ${previousMs}`;
      ctx.issues.push({ code: 'custom', input: chunk.offsetMs, path: [index, 'offsetMs'], message });
    }
    previousMs = chunk.offsetMs;
  }
});

const responseSchema = z
  .strictObject({ status: z.int().min(200).max(599), headers: headersSchema, chunks: chunksSchema })
  .refine((response) => !BODILESS.has(response.status) || response.chunks.length === 0, {
    path: ['chunks'],
    message: 'a response of this status has no body',
  });

const matchSchema = z.strictObject({
  method: z.string().regex(/^[A-Z]+$/, 'expected an upper-case method such as POST'),
  path: z.string().regex(/^\/[^?#\s]*$/, 'expected an absolute path without a query'),
  body: z.unknown(),
});

/** The shape of a cassette file. The content hash is checked apart, by `parseCassette`. */
export const cassetteSchema: z.ZodType<CassetteDocument> = z.strictObject({
  schemaVersion: z.literal(CASSETTE_SCHEMA_VERSION),
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'expected 1 to 128 of A-Z a-z 0-9 . _ -'),
  recordedAt: z.iso.datetime(),
  source: z.string().min(1),
  request: z.strictObject({ match: matchSchema }),
  response: responseSchema,
  contentHash: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'expected sha256: and 64 lower-case hex digits'),
});

/** A cassette file as it stands on disk. */
export interface CassetteDocument {
  readonly schemaVersion: typeof CASSETTE_SCHEMA_VERSION;
  readonly id: string;
  readonly recordedAt: string;
  readonly source: string;
  readonly request: { readonly match: { method: string; path: string; body: unknown } };
  readonly response: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly chunks: { offsetMs: number; text?: string | undefined; base64?: string | undefined }[];
  };
  readonly contentHash: string;
}
