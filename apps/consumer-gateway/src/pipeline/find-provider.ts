import type { RouteRequest, RouteResult, Router, StateHolder } from '@switchyard/ai-route';
import type { ReadRequest } from '../request/read-request.ts';

/**
 * Asks the router for what the request names. What names nothing (a stored response, an MCP session's own messages) goes
 * to whoever holds its state; an MCP message without known state goes where a call of the overlay's first tool would,
 * so that `initialize` takes its turns like one.
 */
export function findProvider(router: Router, { asked, sessionKey }: ReadRequest): RouteResult {
  const { kind, name, stateKey } = asked;
  const select = (wanted: Pick<RouteRequest, 'kind' | 'name'>): RouteResult =>
    router.select({ kind: wanted.kind, name: wanted.name, sessionKey, stateKey });
  if (name !== undefined) return select({ kind, name });
  const holder = stateKey === undefined ? undefined : router.holderOf(stateKey);
  if (holder !== undefined) return selectHolder(router, holder, select);
  return kind === 'mcp_tool' ? selectAnyTool(router, select) : unknown(router);
}

/**
 * The holder of a state as what it served when the state came to be; where that is no longer its business, as anything else
 * of that kind that it serves: what names nothing goes by the provider alone.
 */
function selectHolder(
  router: Router,
  { kind, name, cluster }: StateHolder,
  select: (wanted: Pick<RouteRequest, 'kind' | 'name'>) => RouteResult,
): RouteResult {
  const result = select({ kind, name });
  // Passed over: it is still there, and can't serve now.
  if (result.ok || result.skipped.some((one) => one.cluster === cluster)) return result;
  for (const other of router.capabilities()) {
    if (other.kind !== kind || ![...other.clusters()].includes(cluster)) continue;
    const found = select({ kind, name: other.name });
    if (found.ok) return found;
  }
  return result;
}

/** The first tool, in the overlay's order, that somebody serves now. */
function selectAnyTool(
  router: Router,
  select: (wanted: Pick<RouteRequest, 'kind' | 'name'>) => RouteResult,
): RouteResult {
  let refused: RouteResult | undefined;
  for (const { kind, name, routable } of router.capabilities()) {
    if (kind !== 'mcp_tool') continue;
    if (!routable && refused !== undefined) continue;
    const result = select({ kind, name });
    if (result.ok) return result;
    refused ??= result;
  }
  return refused ?? unknown(router);
}

function unknown(router: Router): RouteResult {
  const { servingRevision } = router.status();
  return servingRevision === null
    ? { ok: false, reason: 'not_ready', skipped: [], servingRevision }
    : { ok: false, reason: 'unknown_capability', skipped: [], servingRevision };
}
