// Hot path: one line per request, written as text: an object of 24 keys would be made only to be serialised.
import type { RouteDecision, SelectedCandidate } from '@switchyard/ai-route';
import type { LineWriter } from '@switchyard/gateway-kit';
import type { RequestRecord } from '../../pipeline/request-record.ts';
import { IsoTime } from './iso-time.ts';

const UNDECIDED =
  '"provider":null,"site":null,"stableId":null,"group":null,"policy":null,"affinity":null,"reason":null,"fallthrough":null,"revision":null';

/** What lines say of one candidate, as JSON. */
interface CandidateText {
  readonly model: string;
  readonly provider: string;
  readonly rest: string;
}

/** Finished requests as JSON lines: never a body, a credential or a session key. */
export class AccessLog {
  readonly #lines: LineWriter;
  /** For as long as the candidate's snapshot lives. */
  readonly #candidates = new WeakMap<SelectedCandidate, CandidateText>();
  readonly #time = new IsoTime();

  constructor(lines: LineWriter) {
    this.#lines = lines;
  }

  /** Writes the line of a request that is over. */
  write(record: RequestRecord): void {
    const { decision, model } = record;
    const known = decision === undefined ? undefined : this.#textOf(decision.candidate);
    const named = model !== null && model === decision?.candidate.name ? known?.model : JSON.stringify(model);
    // What needs no escapes is not looked through for them: numbers, ids in hex, and names out of our own closed lists.
    const who = `{"event":"request","n":${record.n},"startedAt":"${this.#time.of(record.startedAtMs)}","traceId":${plain(record.traceId)},"requestId":"${record.requestId}","route":"${record.route}","model":${named}`;
    const where = decision === undefined || known === undefined ? UNDECIDED : decidedText(decision, known);
    const how = `"attempts":${record.attempts},"tried":[${triedText(record, known)}],"status":${record.status},"code":${plain(record.code)},"ttfbMs":${rounded(record.ttfbMs)},"totalMs":${rounded(record.totalMs)},"bytes":${record.bytes},"outcome":"${record.outcome}"}`;
    this.#lines.writeJson(`${who},${where},${how}`);
  }

  #textOf(candidate: SelectedCandidate): CandidateText {
    const before = this.#candidates.get(candidate);
    if (before !== undefined) return before;
    const { name, cluster, site, stableId } = candidate;
    const text: CandidateText = {
      model: JSON.stringify(name),
      provider: JSON.stringify(cluster),
      rest: JSON.stringify({ site, stableId }).slice(1, -1),
    };
    this.#candidates.set(candidate, text);
    return text;
  }
}

function decidedText(decision: RouteDecision, { provider, rest }: CandidateText): string {
  const { group, policy, affinity, reason, fallthrough, servingRevision } = decision;
  return `"provider":${provider},${rest},"group":${group},"policy":"${policy}","affinity":"${affinity}","reason":"${reason}","fallthrough":${fallthrough},"revision":"${servingRevision}"`;
}

function triedText({ tried, decision }: RequestRecord, known: CandidateText | undefined): string {
  let text = '';
  for (const { provider, result } of tried) {
    const quoted = provider === decision?.candidate.cluster ? known?.provider : JSON.stringify(provider);
    text += `${text === '' ? '' : ','}{"provider":${quoted},"result":"${result}"}`;
  }
  return text;
}

function plain(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

/** Microseconds are enough for a reader and keep lines short. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000) / 1000;
}
