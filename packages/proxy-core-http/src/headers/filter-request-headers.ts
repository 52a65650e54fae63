import { HOP_BY_HOP_HEADERS, lowerName, nominatedHeaders } from './hop-by-hop.ts';

/** What {@link filterRequestHeaders} removes and adds besides the hop-by-hop headers. */
export interface RequestHeaderEdits {
  /** Lower-case names to remove, e.g. {@link CREDENTIAL_HEADERS}. */
  readonly drop?: ReadonlySet<string>;
  /** Flat name, value pairs appended at the end; every incoming header of the same name is removed. */
  readonly set?: readonly string[];
}

/** Set anew for each hop: `host` by the upstream's origin, `expect` is answered by the server in front. */
const REPLACED_PER_HOP: ReadonlySet<string> = new Set(['host', 'expect']);

/**
 * The headers of an incoming request that may go on to the next server, as a new flat list. Order, spelling and
 * duplicates are kept.
 *
 * Removed: hop-by-hop headers, those nominated by `Connection`, `host`, `expect`, `transfer-encoding`, and
 * `drop`. Kept: `accept-encoding` (bodies are never decoded) and `content-length`, which `dispatch` replaces for
 * a buffered body and keeps for a streamed one.
 */
export function filterRequestHeaders(raw: readonly string[], edits: RequestHeaderEdits = {}): string[] {
  const nominated = nominatedHeaders(raw);
  const { drop, set = [] } = edits;
  const replaced = namesOf(set);
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const lower = lowerName(name);
    if (HOP_BY_HOP_HEADERS.has(lower) || REPLACED_PER_HOP.has(lower)) continue;
    if (nominated?.has(lower) || drop?.has(lower) || replaced?.has(lower)) continue;
    kept.push(name, raw[i + 1] ?? '');
  }
  for (const part of set) kept.push(part);
  return kept;
}

function namesOf(pairs: readonly string[]): ReadonlySet<string> | undefined {
  if (pairs.length === 0) return undefined;
  const names = new Set<string>();
  for (let i = 0; i < pairs.length; i += 2) names.add(lowerName(pairs[i] ?? ''));
  return names;
}
