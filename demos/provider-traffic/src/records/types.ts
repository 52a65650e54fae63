import type {
  BackendReply,
  Counts,
  GroupMember,
  OverlayIdentity,
  Proof,
  RequestRecord,
  Revisions,
  SpanRecord,
} from '@switchyard/demo-kit';

/** Selection policies that the demo can be run with. */
export type DemoPolicy = 'round_robin' | 'random' | 'deterministic';

/** What was observed around the measured window, apart from the traffic itself. */
export interface Observations {
  readonly requested: number;
  readonly policy: DemoPolicy;
  readonly seed: number | null;
  /** Provider name to the name of the backend behind it. */
  readonly backends: Readonly<Record<string, string>>;
  /** Every poll of the revisions before the window, in order. */
  readonly gate: readonly Revisions[];
  readonly activeGroup: readonly GroupMember[];
  readonly activeGroups: number;
  readonly revisions: { readonly before: Revisions; readonly after: Revisions };
  readonly overlay: { readonly before: OverlayIdentity; readonly after: OverlayIdentity };
  /** Process state letter of the controller (`T` is stopped) at the start and the end of the window. */
  readonly controller: { readonly pid: number; readonly stateBefore: string; readonly stateAfter: string };
  /** Changes that a watcher on the overlay's folder saw during the window. */
  readonly overlayEvents: number;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** All raw records of one run: what the proofs are judged from, live and in `verify`. */
export interface Records {
  readonly requests: readonly RequestRecord[];
  /** Lines of `spans.otlp.jsonl`: OTLP/JSON exports as received. */
  readonly exports: readonly string[];
  /** The spans of these. */
  readonly spans: readonly SpanRecord[];
  readonly replies: readonly BackendReply[];
  readonly observations: Observations;
  /** The published overlay document, parsed. */
  readonly overlay: unknown;
  /** Of the bytes of that document. */
  readonly overlaySha256: string;
}

/** `results.json`. */
export interface Results {
  readonly schemaVersion: 1;
  readonly passed: boolean;
  readonly requests: number;
  readonly policy: DemoPolicy;
  readonly counts: { readonly client: Counts; readonly gateway: Counts; readonly backend: Counts };
  readonly sequence: readonly (string | null)[];
  readonly proofs: readonly Proof[];
  readonly revisions: Revisions;
  readonly startedAt: string;
  readonly durationMs: number;
}
