import { overlayDigest } from '../canonical/digest.ts';
import { describeValue } from '../errors.ts';
import type { OverlayIssue } from '../issues.ts';
import {
  ISSUES_MAX,
  type ParseOverlayOptions,
  type ResolvedParseOptions,
  resolveParseOptions,
} from '../limits.ts';
import type { Overlay } from '../model.ts';
import { detectFormat, isObject } from './detect.ts';
import { groupIssues, policyIssues, weightIssues } from './meaning/groups.ts';
import { identityIssues } from './meaning/identity.ts';
import { digestIssues, scopeIssues } from './meaning/integrity.ts';
import { readSelectionPolicy } from './meaning/selection-policy.ts';
import { normaliseOverlay } from './normalise.ts';
import { checkStructure } from './structure/check-structure.ts';
import { readText } from './text/read-text.ts';
import type { WireEnvelopeParsed, WireOverlayParsed } from './wire.ts';

/** An accepted overlay, or every reason of the stage that refused it (at most 1000). */
export type ParseOverlayResult =
  | { readonly ok: true; readonly overlay: Overlay }
  | { readonly ok: false; readonly issues: readonly OverlayIssue[] };

/**
 * Reads and judges a document, envelope or legacy. Never throws on account of the bytes and never changes its mind:
 * same bytes and options, same result. Stages: text (size, encoding, depth, JSON, repeated names), then structure
 * with values that cannot be canonicalised, then meaning (digest, scope, policy, groups, weights, duplicates).
 * A stage reports all its issues; a later stage runs only on a document the earlier ones accepted.
 * @throws RangeError when an option is not a positive integer.
 */
export function parseOverlay(bytes: Uint8Array, options?: ParseOverlayOptions): ParseOverlayResult {
  const resolved = resolveParseOptions(options);
  const text = readText(bytes, resolved);
  if (!text.ok) return refused(text.issues);
  if (!isObject(text.root)) {
    const message = `found ${describeValue(text.root)}; expected an object: an envelope, or a bare overlay.`;
    return refused([{ code: 'malformed_structure', path: '', message }, ...text.issues]);
  }

  const format = detectFormat(text.root);
  if (format === 'legacy' && resolved.expectedScope !== undefined) {
    const message =
      'found a bare overlay, which says not whom it is for; a scope is expected, so only an envelope is accepted.';
    return refused([{ code: 'scope_required', path: '', message }]);
  }
  const structure = checkStructure(format, text.root, resolved.maxCandidates);
  if (structure.length > 0 || text.issues.length > 0) return refused([...structure, ...text.issues]);
  return judge(format, text.root, resolved);
}

function judge(
  format: Overlay['format'],
  root: Readonly<Record<string, unknown>>,
  options: ResolvedParseOptions,
): ParseOverlayResult {
  // The structure stage has established exactly these shapes; the casts are its result.
  const envelope = format === 'envelope' ? (root as unknown as WireEnvelopeParsed) : undefined;
  const payload = envelope?.overlay ?? (root as unknown as WireOverlayParsed);
  const revision = overlayDigest(payload as unknown as Readonly<Record<string, unknown>>);
  const prefix = envelope === undefined ? '' : 'overlay.';
  const list = { candidates: payload.candidates, path: `${prefix}candidates` };
  const policyPath = `${prefix}selection_policy`;
  const policy = readSelectionPolicy(payload, policyPath);

  const issues: OverlayIssue[] = [];
  if (envelope !== undefined) {
    issues.push(...digestIssues(envelope, revision), ...scopeIssues(envelope, options.expectedScope));
  }
  if (policy.ok)
    issues.push(...policyIssues(policy.policy, list, policyPath), ...weightIssues(policy.policy, list));
  else issues.push(policy.issue);
  issues.push(...groupIssues(list), ...identityIssues(list));
  if (issues.length > 0 || !policy.ok) return refused(issues);
  return { ok: true, overlay: normaliseOverlay({ payload, envelope, revision, policy: policy.policy }) };
}

function refused(issues: readonly OverlayIssue[]): ParseOverlayResult {
  return { ok: false, issues: issues.slice(0, ISSUES_MAX) };
}
