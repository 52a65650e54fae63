import { type BackendReply, type RequestRecord, tally } from '@switchyard/demo-kit';
import type { Span, VerdictDocument } from '@switchyard/trace-view';

/** Counts one run three ways while it goes on: from answers, from spans and from the backends' logs. */
export class Tally {
  readonly #backends: Readonly<Record<string, string>>;
  readonly #providerOf: ReadonlyMap<string, string>;
  readonly #sent: RequestRecord[] = [];
  /** By trace: whom the gateway chose last. */
  readonly #chosen = new Map<string, { readonly attempt: number; readonly provider: string }>();
  /** By trace: whose backend replied last. */
  readonly #replied = new Map<string, string>();
  /** By span: at whom an attempt failed. */
  readonly #failed = new Map<string, string>();

  /** @param backends - Provider name to backend name. */
  constructor(backends: Readonly<Record<string, string>>) {
    this.#backends = backends;
    this.#providerOf = new Map(Object.entries(backends).map(([provider, backend]) => [backend, provider]));
  }

  sent(record: RequestRecord): void {
    this.#sent.push(record);
  }

  replied({ backend, traceId }: BackendReply): void {
    const provider = this.#providerOf.get(backend);
    if (traceId !== null && provider !== undefined) this.#replied.set(traceId, provider);
  }

  received(spans: readonly Span[]): void {
    for (const { traceId, spanId, name, kind, status, attributes, source } of spans) {
      if (source.service !== 'consumer-gateway') continue;
      const provider = String(attributes['selected.provider'] ?? '(none)');
      const attempt = Number(attributes['routing.attempt'] ?? 1);
      const decided = name === 'routing.select' || 'routing.attempt' in attributes;
      if (decided && attempt >= (this.#chosen.get(traceId)?.attempt ?? 0))
        this.#chosen.set(traceId, { attempt, provider });
      if (kind === 'client' && status.code === 'error') this.#failed.set(spanId, provider);
    }
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.#sent.length;
  }

  /** The three counts of the requests sent so far. Spans and log lines arrive a moment after the answers. */
  counts(): VerdictDocument['counts'] {
    const providers = Object.keys(this.#backends);
    const known = <T>(values: readonly (T | undefined)[]): T[] =>
      values.filter((value) => value !== undefined);
    return {
      client: tally(
        providers,
        this.#sent.map(({ provider }) => provider),
      ),
      gateway: tally(providers, known(this.#sent.map(({ traceId }) => this.#chosen.get(traceId)?.provider))),
      backend: tally(providers, known(this.#sent.map(({ traceId }) => this.#replied.get(traceId)))),
    };
  }

  /** Attempts that failed, by provider. */
  failedAttempts(): Readonly<Record<string, number>> {
    return tally(Object.keys(this.#backends), [...this.#failed.values()]);
  }
}
