/** One request as the client saw it: a line of `requests.ndjson`. Times are milliseconds. */
export interface RequestRecord {
  /** From 1, in the order sent; the demo sends one at a time. */
  readonly n: number;
  readonly traceId: string;
  /** The provider that the gateway named in its answer; null when it named none. */
  readonly provider: string | null;
  readonly group: number | null;
  readonly policy: string | null;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly ttfbMs: number;
  readonly totalMs: number;
  readonly stream: boolean;
  readonly affinity: string | null;
  readonly attempts: number | null;
  /** First 12 hex digits of the revision that the gateway decided with. */
  readonly revision: string | null;
  /** Why the request failed, when it did. */
  readonly error: string | null;
}

/** One reply as a backend logged it: a line of `backend-replies.ndjson`. */
export interface BackendReply {
  /** Which backend process logged it. */
  readonly backend: string;
  readonly traceId: string | null;
  /** The provider that the backend was told it serves for. */
  readonly attribution: string | null;
  readonly status: number;
}

/** A span, flattened from OTLP/JSON. */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'other';
  readonly service: string;
  readonly instance: string | null;
  /** Nanoseconds since the epoch, by the clock of the process that made the span. */
  readonly startNs: bigint;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** The three revisions that must agree before the window opens. */
export interface Revisions {
  readonly published: string | null;
  readonly accepted: string | null;
  readonly serving: string | null;
}

/** Identity of the overlay file: any write, swap or touch changes it. */
export interface OverlayIdentity {
  readonly dataTarget: string;
  readonly inode: number;
  readonly mtimeMs: number;
  readonly sha256: string;
}

/** One member of the active group, as the gateway's admin port lists it. */
export interface GroupMember {
  readonly cluster: string;
  readonly site: string;
  readonly stableId: string;
  readonly viable: boolean;
}

/** Provider name to number of requests. */
export type Counts = Readonly<Record<string, number>>;

/** One proof with the facts that it was judged from. */
export interface Proof {
  readonly id: string;
  readonly title: string;
  readonly passed: boolean;
  /** The facts in one sentence. */
  readonly summary: string;
  readonly facts: Readonly<Record<string, unknown>>;
}
