import { countedDigest, thoroughDigest } from '../canonical/digest.ts';
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
import { type AcceptedOverlay, effectiveStableId, normaliseOverlay } from './normalise.ts';
import { checkStructure } from './structure/check-structure.ts';
import { hasOverlayShape } from './structure/has-overlay-shape.ts';
import { checkTree } from './text/check-tree.ts';
import { countOutside } from './text/count-outside.ts';
import { type ReadDocument, readText } from './text/read-text.ts';
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
  return judgeGood(text.document, resolved) ?? judgeThoroughly(text.document, resolved);
}

/**
 * The quick way through text and structure, open to documents with nothing wrong there: no path is kept and no reason
 * is sought. Undefined sends everything else the thorough way.
 */
export function judgeGood(
  { root, membersWritten }: ReadDocument,
  options: ResolvedParseOptions,
): ParseOverlayResult | undefined {
  if (!isObject(root)) return undefined;
  const format = detectFormat(root);
  if (format === 'legacy' && options.expectedScope !== undefined) return undefined;
  if (!hasOverlayShape(format, root, options.maxCandidates)) return undefined;
  const accepted = acceptedParts(format, root);
  const counted = countedDigest(accepted.payload as unknown as Readonly<Record<string, unknown>>);
  const outside = countOutside(format, root);
  if (counted === undefined || outside === undefined) return undefined;
  if (counted.members + outside !== membersWritten) return undefined;
  return judgeMeaning({ ...accepted, revision: counted.digest }, options);
}

/**
 * The stages one after the other, each with all its reasons. What {@link parseOverlay} answers is by definition what
 * this answers.
 */
export function judgeThoroughly(document: ReadDocument, options: ResolvedParseOptions): ParseOverlayResult {
  const { root } = document;
  const { duplicates, values } = checkTree(document);
  if (duplicates.length > 0) return refused(duplicates);
  if (!isObject(root)) {
    const message = `found ${describeValue(root)}; expected an object: an envelope, or a bare overlay.`;
    return refused([{ code: 'malformed_structure', path: '', message }, ...values]);
  }
  const format = detectFormat(root);
  if (format === 'legacy' && options.expectedScope !== undefined) {
    const message =
      'found a bare overlay, which says not whom it is for; a scope is expected, so only an envelope is accepted.';
    return refused([{ code: 'scope_required', path: '', message }]);
  }
  const structure = checkStructure(format, root, options.maxCandidates);
  if (structure.length > 0 || values.length > 0) return refused([...structure, ...values]);
  const accepted = acceptedParts(format, root);
  const revision = thoroughDigest(accepted.payload as unknown as Readonly<Record<string, unknown>>);
  return judgeMeaning({ ...accepted, revision }, options);
}

function acceptedParts(
  format: Overlay['format'],
  root: Readonly<Record<string, unknown>>,
): Pick<AcceptedOverlay, 'envelope' | 'payload'> {
  // The structure stage has established exactly these shapes; the casts are its result.
  const envelope = format === 'envelope' ? (root as unknown as WireEnvelopeParsed) : undefined;
  return { envelope, payload: envelope?.overlay ?? (root as unknown as WireOverlayParsed) };
}

function judgeMeaning(
  { envelope, payload, revision }: Pick<AcceptedOverlay, 'envelope' | 'payload' | 'revision'>,
  options: ResolvedParseOptions,
): ParseOverlayResult {
  const prefix = envelope === undefined ? '' : 'overlay.';
  const stableIds = payload.candidates.map(effectiveStableId);
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
  issues.push(...groupIssues(list), ...identityIssues(list, stableIds));
  if (issues.length > 0 || !policy.ok) return refused(issues);
  const overlay = normaliseOverlay({ payload, envelope, revision, policy: policy.policy, stableIds });
  return { ok: true, overlay };
}

function refused(issues: readonly OverlayIssue[]): ParseOverlayResult {
  return { ok: false, issues: issues.slice(0, ISSUES_MAX) };
}
