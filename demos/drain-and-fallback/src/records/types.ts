import type {
  BackendReply,
  Counts,
  GroupMember,
  Proof,
  RequestRecord,
  Revisions,
  SpanRecord,
} from '@switchyard/demo-kit';

/** The steps of a run, in their order. What each one does is told in `run/scenario.ts`. */
export const STEPS = [
  'steady',
  'bind',
  'drain',
  'broken-overlay',
  'kill-b',
  'outage',
  'return',
  'recovered',
  'undrained',
] as const;

/** One step of a run. */
export type StepId = (typeof STEPS)[number];

/** One request as the client saw it: a line of `requests.ndjson`. */
export interface StepRequest extends RequestRecord {
  readonly step: StepId;
  /** The demo's own name of the session; null for a request that belongs to none. */
  readonly session: string | null;
}

/** What the gateway and the control plane said at the end of a step, before the next one began. */
export interface Moment {
  readonly step: StepId;
  readonly revisions: Revisions;
  /** Groups of the model as the gateway routes them, best first. */
  readonly groups: readonly (readonly GroupMember[])[];
  /** Code of the refusal that stands; null while the overlay file is good. */
  readonly rejected: string | null;
  /** Whether the controller was stopped; then the gateway had nobody to ask. */
  readonly controllerStopped: boolean;
}

/** What was observed besides the traffic. */
export interface Observations {
  /** Provider name to the name of the backend behind it. */
  readonly backends: Readonly<Record<string, string>>;
  readonly moments: readonly Moment[];
  readonly startedAt: string;
  readonly durationMs: number;
}

/** All raw records of one run: what the proofs are judged from, live and in `verify`. */
export interface Records {
  readonly requests: readonly StepRequest[];
  readonly spans: readonly SpanRecord[];
  readonly replies: readonly BackendReply[];
  readonly observations: Observations;
}

/** How often each provider answered, counted three ways. */
export interface ThreeCounts {
  readonly client: Counts;
  readonly gateway: Counts;
  readonly backend: Counts;
}

/** What one step came to. */
interface StepResult {
  readonly step: StepId;
  readonly requests: number;
  readonly counts: Counts;
}

/** `results.json`. */
export interface Results {
  readonly schemaVersion: 1;
  readonly passed: boolean;
  readonly requests: number;
  readonly policy: 'round_robin';
  readonly counts: ThreeCounts;
  readonly sequence: readonly (string | null)[];
  readonly steps: readonly StepResult[];
  readonly proofs: readonly Proof[];
  readonly revisions: Revisions;
  readonly startedAt: string;
  readonly durationMs: number;
}
