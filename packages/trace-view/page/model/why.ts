import type { SpanView, TraceDetail } from '../../src/contract/traces.ts';
import type { Attributes } from '../../src/model/span.ts';
import type { Ejection, OverlayCandidate, OverlayEntry, RequestRow } from '../../src/page/state.ts';

/** Why a request went where it went: the gateway's own record of the decision beside the overlay it was made with. */
export interface Why {
  /** Full when a span names it, else the 12 digits of the answer. */
  readonly revision: string | null;
  readonly overlay: OverlayEntry | null;
  readonly policy: string | null;
  readonly group: number | null;
  readonly reason: string | null;
  readonly attempts: readonly Attempt[];
  readonly candidates: readonly JudgedCandidate[];
  readonly turn: Turn;
}

/** One attempt at a provider. */
interface Attempt {
  readonly number: number;
  readonly provider: string;
  readonly failed: boolean;
  /** Status or kind of failure; empty when the span does not say. */
  readonly result: string;
}

/** A candidate and its part in the decision. */
export interface JudgedCandidate {
  readonly candidate: OverlayCandidate;
  readonly verdict: 'chosen' | 'waits' | 'skipped';
  readonly why: string;
}

/** Whose turn it was. `ring` is in canonical order; `next` is who the next request really went to, when known. */
export type Turn =
  | {
      readonly kind: 'turn';
      readonly ring: readonly string[];
      readonly before: string;
      readonly after: string;
      readonly next: { readonly request: number; readonly provider: string } | null;
    }
  | { readonly kind: 'none'; readonly because: string };

/** What the answer is made from. */
export interface WhyInput {
  readonly request: RequestRow;
  readonly trace: TraceDetail | null;
  readonly overlays: readonly OverlayEntry[];
  readonly ejections: readonly Ejection[];
  /** The request after this one; null when there is none yet. */
  readonly following: RequestRow | null;
}

/** Puts the decision together from the request, its spans and the overlay that served it. */
export function explainRequest(input: WhyInput): Why {
  const { request, trace, overlays, ejections } = input;
  const spans = (trace?.rows ?? []).map(({ span }) => span);
  const decided = spans.find((span) => span.name === 'routing.select')?.attributes ?? {};
  const revision = text(decided, 'overlay.revision.serving') ?? request.revision;
  const overlay = overlays.findLast((entry) => isServing(entry, revision)) ?? null;
  const policy = text(decided, 'routing.policy') ?? request.policy;
  const attempts = attemptsOf(spans, request);
  const group = number(decided, 'routing.group') ?? request.group;
  const reason = text(decided, 'routing.reason');
  const open = (overlay?.candidates ?? []).filter(
    (candidate) =>
      candidate.group === group &&
      candidate.admission === 'new_and_existing' &&
      !ejections.some((ejection) => covers(ejection, candidate.provider, request.sentAtMs)),
  );
  return {
    revision,
    overlay,
    policy,
    group,
    reason,
    attempts,
    candidates: (overlay?.candidates ?? []).map((candidate) =>
      judge(candidate, { request, group, policy, attempts, ejections }),
    ),
    turn: turnOf(input, { policy, reason, open, first: attempts[0]?.provider ?? request.provider }),
  };
}

function isServing({ outcome, revision }: OverlayEntry, wanted: string | null): boolean {
  return outcome === 'accepted' && wanted !== null && revision?.startsWith(wanted) === true;
}

function attemptsOf(spans: readonly SpanView[], { provider, status }: RequestRow): Attempt[] {
  const sent = spans
    .filter(({ kind, attributes }) => kind === 'client' && number(attributes, 'routing.attempt') !== null)
    .map((span) => ({
      number: number(span.attributes, 'routing.attempt') ?? 1,
      provider: text(span.attributes, 'selected.provider') ?? 'unknown',
      failed: span.status.code === 'error',
      result: String(
        span.attributes['http.response.status_code'] ?? text(span.attributes, 'error.type') ?? '',
      ),
    }))
    .sort((a, b) => a.number - b.number);
  if (sent.length > 0 || provider === null) return sent;
  return [{ number: 1, provider, failed: status !== 200, result: String(status) }];
}

interface Decided {
  readonly request: RequestRow;
  readonly group: number | null;
  readonly policy: string | null;
  readonly attempts: readonly Attempt[];
  readonly ejections: readonly Ejection[];
}

function judge(candidate: OverlayCandidate, decided: Decided): JudgedCandidate {
  const { request, group, policy, attempts } = decided;
  const tried = attempts.find((attempt) => attempt.provider === candidate.provider && attempt.failed);
  if (candidate.provider === request.provider)
    return { candidate, verdict: 'chosen', why: 'answered this request' };
  if (tried !== undefined)
    return {
      candidate,
      verdict: 'skipped',
      why: `attempt ${tried.number} failed${tried.result === '' ? '' : ` (${tried.result})`}`,
    };
  const out = decided.ejections.find((ejection) => covers(ejection, candidate.provider, request.sentAtMs));
  if (out !== undefined)
    return {
      candidate,
      verdict: 'skipped',
      why: `ejected by the gateway: ${out.result.replaceAll('_', ' ')}`,
    };
  if (candidate.admission === 'existing_only')
    return { candidate, verdict: 'skipped', why: 'draining: takes bound sessions only' };
  if (candidate.admission === 'excluded')
    return { candidate, verdict: 'skipped', why: 'excluded by admission' };
  if (group !== null && candidate.group !== null && candidate.group > group)
    return { candidate, verdict: 'skipped', why: `group ${candidate.group}: a better group could serve` };
  return { candidate, verdict: 'waits', why: waits(policy) };
}

function covers({ provider, fromMs, untilMs }: Ejection, wanted: string, atMs: number | null): boolean {
  return provider === wanted && atMs !== null && atMs >= fromMs && (untilMs === null || atMs < untilMs);
}

function waits(policy: string | null): string {
  if (policy === 'random' || policy === 'weighted_random') return 'the draw went to another';
  return policy === 'deterministic' ? 'stands behind the first in order' : 'its turn comes later';
}

function turnOf(
  { request, following }: WhyInput,
  given: {
    readonly policy: string | null;
    readonly reason: string | null;
    readonly open: readonly OverlayCandidate[];
    readonly first: string | null;
  },
): Turn {
  const { policy, reason, open, first } = given;
  if (reason === 'affinity')
    return { kind: 'none', because: 'The session was bound: a reuse spends no turn.' };
  if (reason === 'state')
    return { kind: 'none', because: 'The request names state that lives there: it spends no turn.' };
  if (policy === 'weighted_round_robin')
    return { kind: 'none', because: 'Weights decide whose turn comes: the candidates alone do not tell.' };
  if (policy === 'random' || policy === 'weighted_random')
    return { kind: 'none', because: 'Chance decides: there is no turn to move.' };
  if (policy === 'deterministic')
    return {
      kind: 'none',
      because: 'The first viable candidate in overlay order serves: there is no turn to move.',
    };
  const ring = open
    .toSorted((a, b) => order(a).localeCompare(order(b), 'en'))
    .map(({ provider }) => provider);
  const at = first === null ? -1 : ring.indexOf(first);
  if (at < 0 || first === null)
    return { kind: 'none', because: 'The overlay that served this request is not here.' };
  const same = following !== null && following.revision === request.revision && following.attempts === 1;
  return {
    kind: 'turn',
    ring,
    before: first,
    after: ring[(at + 1) % ring.length] ?? first,
    next:
      same && following.provider !== null
        ? { request: following.number, provider: following.provider }
        : null,
  };
}

/** Canonical order of a group's members: site, then cluster. */
function order({ site, provider }: OverlayCandidate): string {
  return `${site}\u0000${provider}`;
}

function text(attributes: Attributes, key: string): string | null {
  const value = attributes[key];
  return typeof value === 'string' ? value : null;
}

function number(attributes: Attributes, key: string): number | null {
  const value = attributes[key];
  return typeof value === 'number' ? value : null;
}
