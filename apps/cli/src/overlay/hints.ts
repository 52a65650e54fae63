import {
  ADMISSION_STATES,
  CANDIDATE_KINDS,
  type OverlayIssue,
  type OverlayIssueCode,
  SELECTION_POLICIES,
} from '@switchyard/overlay-contract';
import { nearest } from './nearest.ts';

/** What to do about an issue, by its code. */
const HINTS: Readonly<Record<OverlayIssueCode, string>> = {
  malformed_json: 'Look at the place named. If the file was being written, read it again.',
  invalid_utf8: 'Save the file as UTF-8.',
  too_large: 'Split the network, or raise the limit on every reader (here: --max-bytes).',
  too_deep: 'Flatten the additive members.',
  duplicate_key: 'Keep one of the two: readers disagree on which counts.',
  not_canonicalizable: 'Pair the surrogate; write huge numbers as strings.',
  malformed_structure: 'Follow the path; each other issue on this list is part of the reason.',
  invalid_field: 'Give the member the type and range that the message names.',
  missing_schema_version: 'Render it with a current producer; an envelope says "schema_version": "1.0.0".',
  unsupported_schema_version: 'Upgrade the older side: producer and readers must share a version.',
  revision_digest_mismatch:
    'Render it again; `switchyard overlay digest FILE` shows what the content hashes to.',
  digest_mismatch:
    '`switchyard overlay digest FILE` shows both digests; change the source, then render it again.',
  scope_mismatch:
    'Deliver the document meant for this gateway, or correct the scope that the gateway expects.',
  scope_required: 'Deliver the envelope (routing-overlay.json), not the bare overlay (routing-config.json).',
  invalid_selection_policy: 'Correct it, or leave it out for deterministic.',
  policy_without_groups: 'Number the groups (selection_group, from 0), or leave the policy out.',
  group_conflict: 'Sort each kind and name by group and number the runs 0, 1, 2.',
  weight_conflict: 'Give every candidate a weight under a weighted policy, and none otherwise.',
  duplicate_candidate: 'List it once; to send it more traffic, use a weighted policy.',
  duplicate_stable_id: 'Give each candidate a stable_id of its own.',
  too_many_candidates: 'Split the network, or raise the limit on every reader (here: --max-candidates).',
};

const WORDS: Readonly<Record<string, readonly string[]>> = {
  selection_policy: SELECTION_POLICIES,
  admission_state: ADMISSION_STATES,
  kind: CANDIDATE_KINDS,
};

/**
 * What to do about an issue.
 *
 * @param found - The value at the issue's path, if there is one: a misspelt word gets the word it was meant to be.
 */
export function hintFor(issue: OverlayIssue, found?: unknown): string {
  const member = /[\w-]+$/.exec(issue.path)?.[0] ?? '';
  const words = Object.hasOwn(WORDS, member) ? WORDS[member] : undefined;
  const meant = words !== undefined && typeof found === 'string' ? nearest(found, words) : undefined;
  return meant === undefined ? HINTS[issue.code] : `Did you mean "${meant}"? ${HINTS[issue.code]}`;
}
