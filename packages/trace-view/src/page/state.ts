import type { TraceDetail } from '../contract/traces.ts';

// What the page shows besides traces: the JSON documents that a demo publishes by these names, live or embedded in an
// exported page. Types only: server, demo and browser share this file.

/** Every document by the name it is published under. `requests`, `overlays` and `activity` are lists to append to. */
export interface PageDocuments {
  readonly run: RunDocument;
  readonly verdict: VerdictDocument;
  readonly topology: TopologyDocument;
  readonly requests: readonly RequestRow[];
  readonly overlays: readonly OverlayEntry[];
  /** Absent where none were observed. */
  readonly ejections: readonly Ejection[];
  /** Absent where nothing can be changed, as in an exported page. */
  readonly controls: ControlsDocument;
  readonly activity: readonly ActivityEntry[];
  readonly evidence: EvidenceDocument;
}

/** Longest each list document grows; the oldest items leave first. */
export const LIST_LIMITS = { requests: 10_000, overlays: 200, activity: 100 } as const;

/** What is being shown, and how far it is. */
export interface RunDocument {
  /** Heading of the page, such as `Provider traffic`. */
  readonly title: string;
  readonly phase: 'starting' | 'waiting' | 'running' | 'settling' | 'idle' | 'failed';
  /** What is going on, in one sentence. */
  readonly message: string;
  /** From 1; each `run again` is the next one. */
  readonly run: number;
  /** Requests of this run; null while traffic flows until it is stopped. */
  readonly requested: number | null;
  readonly policy: string;
  /** RFC 3339; null before the first request. */
  readonly startedAt: string | null;
  /** Milliseconds; null while the run goes on. */
  readonly durationMs: number | null;
  /** A command line to try by hand; null when nothing listens. */
  readonly tryByHand: string | null;
}

/** Provider name to number of requests. */
export type ProviderCounts = Readonly<Record<string, number>>;

/** The verdict on the current run. */
export interface VerdictDocument {
  /** `changed`: somebody took a provider out, so not every proof can hold; the split of the others does. */
  readonly state: 'pending' | 'passed' | 'changed' | 'failed';
  /** What the split is, in a word or two: `exact`, `drawn at random`, `all to the first`; null until that is known. */
  readonly split: string | null;
  /** The same requests counted by three parties that don't ask one another. */
  readonly counts: {
    readonly client: ProviderCounts;
    readonly gateway: ProviderCounts;
    readonly backend: ProviderCounts;
  };
  readonly proofs: readonly ProofEntry[];
}

/** One proof and the facts that it was judged from. */
export interface ProofEntry {
  readonly id: string;
  readonly title: string;
  readonly state: 'pending' | 'holds' | 'fails';
  /** The facts in one sentence; empty while pending. */
  readonly summary: string;
  readonly facts: unknown;
}

/** Who talks to whom. */
export interface TopologyDocument {
  readonly client: string;
  readonly gateway: string;
  readonly controller: { readonly name: string; readonly state: 'running' | 'stopped' | 'down' };
  /** In canonical order: A, B, C. */
  readonly providers: readonly ProviderNode[];
}

/** One provider with the backend behind it. */
export interface ProviderNode {
  readonly name: string;
  readonly site: string;
  readonly backend: string;
  /**
   * `draining`: bound sessions only. `ejected`: it failed, and the gateway leaves it out for a while. `down`: its process
   * is not there.
   */
  readonly state: 'up' | 'draining' | 'ejected' | 'down';
  /** Attempts of the current run that failed at this provider. */
  readonly failedAttempts: number;
}

/** One request as the client saw it. Times are milliseconds. */
export interface RequestRow {
  /** From 1, over all runs; what a deep link names. */
  readonly number: number;
  readonly run: number;
  readonly traceId: string;
  /** Epoch milliseconds; null when unknown. */
  readonly sentAtMs: number | null;
  /** Null when the answer named none. */
  readonly provider: string | null;
  readonly group: number | null;
  readonly policy: string | null;
  readonly affinity: string | null;
  readonly attempts: number | null;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly ttfbMs: number;
  readonly totalMs: number;
  readonly stream: boolean;
  /** First 12 hex digits of the overlay revision that decided. */
  readonly revision: string | null;
  /** Why it failed; null when it didn't. */
  readonly error: string | null;
}

/** One thing that happened to the overlay at the gateway. */
export interface OverlayEntry {
  /** RFC 3339. */
  readonly at: string;
  readonly outcome: 'accepted' | 'rejected';
  /** Full revision; null when the document could not be read that far. */
  readonly revision: string | null;
  readonly generation: number | null;
  readonly policy: string | null;
  /** Closed code of the refusal; null when accepted. */
  readonly code: string | null;
  /** Why it was refused and what serves now, or what changed. */
  readonly message: string;
  /** In the overlay's order; empty when refused. */
  readonly candidates: readonly OverlayCandidate[];
}

/** A time in which the gateway by itself left a provider out, because its attempts kept failing. */
export interface Ejection {
  readonly provider: string;
  /** Epoch milliseconds. */
  readonly fromMs: number;
  /** Null while it lasts. */
  readonly untilMs: number | null;
  /** What kept failing, such as `connect_failed`. */
  readonly result: string;
}

/** One candidate as the overlay lists it. */
export interface OverlayCandidate {
  readonly provider: string;
  readonly site: string;
  readonly stableId: string;
  readonly rank: number | null;
  readonly group: number | null;
  readonly admission: string;
  readonly fresh: boolean;
  readonly weight: number | null;
}

/** Buttons, each posting one action. */
export interface ControlsDocument {
  /** What is being done now; null when nothing is. */
  readonly busy: string | null;
  readonly groups: readonly ControlGroup[];
}

/** Buttons that belong together. */
export interface ControlGroup {
  readonly title: string;
  readonly controls: readonly Control[];
}

/** One button: `POST /api/actions/ACTION` with `input`. */
export interface Control {
  readonly id: string;
  readonly action: string;
  readonly input: Readonly<Record<string, string | number | boolean>>;
  readonly label: string;
  /** What it will do, in a sentence. */
  readonly help: string;
  /** For a choice: whether it is the one in force. Null for a plain button. */
  readonly pressed: boolean | null;
  /** Why it can't be used now; null when it can. */
  readonly disabled: string | null;
}

/** What an action did. */
export interface ActivityEntry {
  /** RFC 3339. */
  readonly at: string;
  readonly outcome: 'done' | 'failed';
  readonly message: string;
}

/** The files behind the verdict. */
export interface EvidenceDocument {
  /** Command line that recomputes the verdict; null while there is nothing to verify. */
  readonly verify: string | null;
  readonly files: readonly EvidenceFile[];
}

/** One file of the evidence. */
export interface EvidenceFile {
  readonly name: string;
  /** Where it can be fetched, relative to the page. */
  readonly href: string;
  readonly about: string;
}

/** Everything an exported page embeds. */
export interface ExportedPage {
  readonly documents: Partial<PageDocuments>;
  /** One per request, in the order of the requests; of long runs only the first ones. */
  readonly traces: readonly TraceDetail[];
}
