import { describeValue } from '../../errors.ts';
import type { OverlayIssue } from '../../issues.ts';
import { SELECTION_POLICIES, type SelectionPolicy } from '../../model.ts';
import { isObject } from '../detect.ts';

/** The Praxis spelling of each policy, used in `{"mode": …}`. */
export const PRAXIS_MODES: Readonly<Record<SelectionPolicy, string>> = Object.freeze({
  deterministic: 'deterministic',
  round_robin: 'roundRobin',
  random: 'random',
  weighted_random: 'weightedRandom',
  weighted_round_robin: 'weightedRoundRobin',
});

/** Either the policy in force or the reason there is none. */
export type PolicyResult =
  | { readonly ok: true; readonly policy: SelectionPolicy }
  | { readonly ok: false; readonly issue: OverlayIssue };

/**
 * Reads both spellings. Absent means deterministic; anything else that is not a known policy, null included, refuses
 * the document: a misspelt policy must never become a silent default.
 */
export function readSelectionPolicy(
  overlay: Readonly<Record<string, unknown>> | { readonly selection_policy?: unknown },
  path: string,
): PolicyResult {
  if (!Object.hasOwn(overlay, 'selection_policy')) return { ok: true, policy: 'deterministic' };
  const wire = (overlay as { readonly selection_policy?: unknown }).selection_policy;
  const policy = isObject(wire) ? fromObject(wire) : SELECTION_POLICIES.find((known) => known === wire);
  if (policy !== undefined) return { ok: true, policy };
  const found = isObject(wire) ? `an object with mode ${describeValue(wire['mode'])}` : describeValue(wire);
  const modes = Object.values(PRAXIS_MODES).join(', ');
  const message = `found ${found}; expected one of ${SELECTION_POLICIES.join(', ')}, or {"mode": …} alone with one of ${modes}. Omit the member for deterministic.`;
  return { ok: false, issue: { code: 'invalid_selection_policy', path, message } };
}

function fromObject(wire: Readonly<Record<string, unknown>>): SelectionPolicy | undefined {
  const keys = Object.keys(wire);
  if (keys.length !== 1 || keys[0] !== 'mode') return undefined;
  return SELECTION_POLICIES.find((policy) => PRAXIS_MODES[policy] === wire['mode']);
}

/** Whether a policy shares traffic by weight. */
export function isWeighted(policy: SelectionPolicy): boolean {
  return policy === 'weighted_random' || policy === 'weighted_round_robin';
}
