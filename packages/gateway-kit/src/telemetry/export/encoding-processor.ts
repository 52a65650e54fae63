import { TraceFlags } from '@opentelemetry/api';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { BatchOptions } from './batch-options.ts';
import type { SpanEncoder } from './span-encoder.ts';

/** What an {@link EncodingProcessor} is made from. */
export interface EncodingProcessorOptions {
  readonly encoder: SpanEncoder;
  readonly batch: BatchOptions;
  /** Sends one request. Rejects when it was not taken. */
  readonly send: (request: Uint8Array) => Promise<void>;
  /** Closes what `send` uses. */
  readonly close: () => Promise<void>;
  readonly warn: (message: string) => void;
}

interface Sealed {
  readonly request: Uint8Array;
  readonly spans: number;
}

/**
 * Encodes each span in the moment it ends, and sends the bytes in batches, one at a time. Waiting spans are bytes: as
 * objects they would outlive the young generation, and the collector would cost more than the tracing.
 */
export class EncodingProcessor implements SpanProcessor {
  readonly #options: EncodingProcessorOptions;
  readonly #sealed: Sealed[] = [];
  /** Spans that wait, sealed or not. */
  #waiting = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: EncodingProcessorOptions) {
    this.#options = options;
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0 || this.#closed !== undefined) return;
    const { encoder, batch } = this.#options;
    if (this.#waiting >= batch.maxQueueSize) {
      this.#dropped += 1;
      return;
    }
    encoder.add(span);
    this.#waiting += 1;
    if (encoder.spans >= batch.maxBatchSize) this.#sealAndSend();
    else this.#timer ??= setTimeout(() => this.#sealAndSend(), batch.scheduleDelayMs).unref();
  }

  /** Rejects when one of the batches was not taken. */
  async forceFlush(): Promise<void> {
    this.#seal();
    let failure: unknown;
    while (this.#sealed.length > 0 || this.#sending !== undefined) {
      await (this.#sending ?? this.#sendNext()).catch((error: unknown) => {
        failure = error;
      });
    }
    this.#tellDropped();
    if (failure !== undefined) throw failure;
  }

  /** Sends what waits, then takes no more. */
  shutdown(): Promise<void> {
    this.#closed ??= this.#flushAndClose();
    return this.#closed;
  }

  async #flushAndClose(): Promise<void> {
    try {
      await this.forceFlush();
    } finally {
      await this.#options.close();
    }
  }

  #seal(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { spans } = this.#options.encoder;
    if (spans > 0) this.#sealed.push({ request: this.#options.encoder.take(), spans });
  }

  #sealAndSend(): void {
    this.#seal();
    if (this.#sending === undefined) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    while (this.#sealed.length > 0 && this.#sending === undefined) {
      try {
        await this.#sendNext();
      } catch (error) {
        this.#options.warn(`an export failed, its spans are lost: ${String(error)}`);
      }
      this.#tellDropped();
    }
  }

  /** One export at a time: a slow collector makes spans wait, and then drops them; it never piles up requests. */
  #sendNext(): Promise<void> {
    const next = this.#sealed.shift();
    if (next === undefined) return Promise.resolve();
    this.#waiting -= next.spans;
    const { send, batch } = this.#options;
    this.#sending = withinLimit(send(next.request), batch.exportTimeoutMs).finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    this.#options.warn(
      `dropped ${this.#dropped} spans: ${this.#options.batch.maxQueueSize} were waiting already (OTEL_BSP_MAX_QUEUE_SIZE)`,
    );
    this.#dropped = 0;
  }
}

function withinLimit(work: Promise<void>, limitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the collector did not answer within ${limitMs} ms`)),
      limitMs,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
