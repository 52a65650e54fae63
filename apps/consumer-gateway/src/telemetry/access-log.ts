// Hot path: one line per request, written as text: an object of 24 keys would be made only to be serialised.
import type { RouteDecision, SelectedCandidate } from '@switchyard/ai-route';
import type { LineWriter } from '@switchyard/gateway-kit';
import type { RequestRecord } from '../pipeline/request-record.ts';

const UNDECIDED =
  '"provider":null,"site":null,"stableId":null,"group":null,"policy":null,"affinity":null,"reason":null,"fallthrough":null,"revision":null';

/** Finished requests as JSON lines: never a body, a credential or a session key. */
export class AccessLog {
  readonly #lines: LineWriter;
  /** What lines say of a candidate, for as long as its snapshot lives. */
  readonly #candidates = new WeakMap<SelectedCandidate, string>();

  constructor(lines: LineWriter) {
    this.#lines = lines;
  }

  /** Writes the line of a request that is over. */
  write(record: RequestRecord): void {
    const { decision } = record;
    // What needs no escapes is not looked through for them: numbers, ids in hex, and names out of our own closed lists.
    const who = `{"event":"request","n":${record.n},"startedAt":"${new Date(record.startedAtMs).toISOString()}","traceId":${plain(record.traceId)},"requestId":"${record.requestId}","route":"${record.route}","model":${JSON.stringify(record.model)}`;
    const where = decision === undefined ? UNDECIDED : this.#decided(decision);
    const how = `"attempts":${record.attempts},"tried":${triedText(record)},"status":${record.status},"code":${plain(record.code)},"ttfbMs":${rounded(record.ttfbMs)},"totalMs":${rounded(record.totalMs)},"bytes":${record.bytes},"outcome":"${record.outcome}"}`;
    this.#lines.writeJson(`${who},${where},${how}`);
  }

  #decided(decision: RouteDecision): string {
    const { candidate, group, policy, affinity, reason, fallthrough, servingRevision } = decision;
    let known = this.#candidates.get(candidate);
    if (known === undefined) {
      known = candidateText(candidate);
      this.#candidates.set(candidate, known);
    }
    return `${known},"group":${group},"policy":"${policy}","affinity":"${affinity}","reason":"${reason}","fallthrough":${fallthrough},"revision":"${servingRevision}"`;
  }
}

function candidateText({ cluster, site, stableId }: SelectedCandidate): string {
  return JSON.stringify({ provider: cluster, site, stableId }).slice(1, -1);
}

function triedText({ tried }: RequestRecord): string {
  return tried.length === 0 ? '[]' : JSON.stringify(tried);
}

function plain(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

/** Microseconds are enough for a reader and keep lines short. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000) / 1000;
}
