import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DecodedExport } from '../otlp/decode/span-draft.ts';
import { decodeJson } from '../otlp/json/decode-json.ts';
import { OtlpError } from '../otlp/otlp-error.ts';
import { decodeProtobuf } from '../otlp/protobuf/decode-protobuf.ts';
import type { AddResult, TraceStore } from '../store/trace-store.ts';
import { CONTENT_TYPES, errorAnswer, type OtlpAnswer, successAnswer } from './answers.ts';
import { decompress } from './decompress.ts';
import { InFlight } from './in-flight.ts';
import { PASSED_ON_HEADER, type RawExport } from './raw-export.ts';
import { readBody } from './read-body.ts';
import type { OtlpEncoding, ResolvedReceiverOptions } from './receiver-options.ts';
import { refuse, send } from './refuse.ts';

/** What a receiver works with. */
export interface ReceiverParts {
  readonly store: TraceStore;
  readonly options: ResolvedReceiverOptions;
  /** Gets each export that was taken. Must not throw. */
  readonly pass: (raw: RawExport) => void;
}

/** What the headers of a request say about its body. */
interface Envelope extends Omit<RawExport, 'body'> {
  readonly encoding: OtlpEncoding;
}

/** Answers `/v1/traces`: reads, bounds, decodes and stores exports, one after the other in the order of arrival. */
export class OtlpReceiver {
  readonly #parts: ReceiverParts;
  readonly #inFlight: InFlight;
  // Bodies are worked on one at a time: at most one is decompressed in memory.
  #tail: Promise<unknown> = Promise.resolve();

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
    this.#inFlight = new InFlight(parts.options.maxInFlightBytes);
  }

  /** Answers one request, whatever it holds. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const encoding = answerEncoding(request);
    try {
      const envelope = readEnvelope(request, this.#parts.options.encodings);
      if (this.#parts.store.full)
        throw new OtlpError('overloaded', 'the store is full; clear it, or send this export again later');
      const { maxBodyBytes } = this.#parts.options;
      const body = await readBody(request, { maxBytes: maxBodyBytes, inFlight: this.#inFlight });
      if (body === undefined) return;
      const done = this.#tail.then(() => this.#take(body, envelope));
      this.#tail = done.catch(() => undefined).finally(() => this.#inFlight.give(body.length));
      send(response, await done);
    } catch (error) {
      refuse(request, response, this.#refusal(encoding, asOtlpError(error)));
    }
  }

  /** Refuses a request that must not even be read. */
  reject(request: IncomingMessage, response: ServerResponse, error: OtlpError): void {
    refuse(request, response, this.#refusal(answerEncoding(request), error));
  }

  #refusal(encoding: OtlpEncoding, error: OtlpError): OtlpAnswer {
    return errorAnswer(encoding, error, this.#parts.options.retryAfterSeconds);
  }

  async #take(raw: Buffer, envelope: Envelope): Promise<OtlpAnswer> {
    const { options, store, pass } = this.#parts;
    const { encoding, gzip } = envelope;
    const body = gzip ? await decompress(raw, options.maxDecodedBytes) : raw;
    const decode = encoding === 'json' ? decodeJson : decodeProtobuf;
    const decoded = decode(body, options.maxValues);
    try {
      await options.onExport({ encoding, body, spans: decoded.spans });
    } catch (cause) {
      throw new OtlpError('not_kept', `the export could not be kept: ${String(cause)}`, { cause });
    }
    const added = store.add(decoded.spans);
    pass({ ...envelope, body: raw });
    const { rejected, reason } = refusedSpans(decoded, added);
    return successAnswer(encoding, rejected, reason);
  }
}

/** Spans of an export that were not taken, and why, for the exporter's log. */
function refusedSpans(decoded: DecodedExport, added: AddResult): { rejected: number; reason: string } {
  const reasons = [
    decoded.rejected > 0 ? `${decoded.rejected} invalid: ${decoded.reason}` : '',
    added.refusedTraceFull > 0 ? `${added.refusedTraceFull} of traces that have too many spans` : '',
    added.refusedLate > 0 ? `${added.refusedLate} of traces that were evicted before` : '',
  ];
  return {
    rejected: decoded.rejected + added.refusedTraceFull + added.refusedLate,
    reason: reasons.filter((reason) => reason !== '').join('; '),
  };
}

function readEnvelope(request: IncomingMessage, taken: readonly OtlpEncoding[]): Envelope {
  if (request.method !== 'POST')
    throw new OtlpError('method', `${request.method} is not understood here; POST exports to this path`);
  const encoding = encodingOf(request);
  if (encoding === undefined || !taken.includes(encoding))
    throw new OtlpError(
      'unsupported',
      `content-type ${JSON.stringify(request.headers['content-type'] ?? '')} is not ${taken.map((name) => CONTENT_TYPES[name]).join(' or ')}; set OTEL_EXPORTER_OTLP_PROTOCOL=${taken.map((name) => `http/${name}`).join(' or ')}`,
    );
  const coding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (coding !== 'gzip' && coding !== 'identity')
    throw new OtlpError('unsupported', `content-encoding ${JSON.stringify(coding)} is not gzip or identity`);
  return {
    encoding,
    contentType: CONTENT_TYPES[encoding],
    gzip: coding === 'gzip',
    passedOn: request.headers[PASSED_ON_HEADER] !== undefined,
  };
}

/** Answers are in the encoding of the request; where that isn't known, in the one that it accepts, else in JSON. */
function answerEncoding(request: IncomingMessage): OtlpEncoding {
  const known = encodingOf(request);
  if (known !== undefined) return known;
  return (request.headers.accept ?? '').includes(CONTENT_TYPES.protobuf) ? 'protobuf' : 'json';
}

function encodingOf(request: IncomingMessage): OtlpEncoding | undefined {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type === CONTENT_TYPES.protobuf) return 'protobuf';
  return type === CONTENT_TYPES.json ? 'json' : undefined;
}

function asOtlpError(error: unknown): OtlpError {
  // Nothing else is expected; an exporter sends it again, and nothing of this process ends.
  return error instanceof OtlpError
    ? error
    : new OtlpError('not_kept', `the receiver failed: ${String(error)}`, { cause: error });
}
