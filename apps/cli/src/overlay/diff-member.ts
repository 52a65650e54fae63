import { type Candidate, canonicalJson } from '@switchyard/overlay-contract';
import { type ChangeEffect, type ChangeType, capabilityOf, memberOf, type OverlayChange } from './changes.ts';

/** How a difference in one wire member is reported. `meant` is what gateways read, defaults and synonyms resolved. */
interface FieldRule {
  readonly type: ChangeType;
  readonly effect: ChangeEffect;
  readonly meant: (candidate: Candidate) => unknown;
}

const RULES: Readonly<Record<string, FieldRule>> = {
  selection_group: { type: 'group', effect: 'routing', meant: (c) => c.selectionGroup },
  admission_state: { type: 'admission', effect: 'routing', meant: (c) => c.admissionState },
  traffic_weight: { type: 'weight', effect: 'routing', meant: (c) => c.trafficWeight },
  stable_id: { type: 'stable_id', effect: 'routing', meant: (c) => c.stableId },
  credential: { type: 'credential', effect: 'routing', meant: (c) => c.credential },
  fresh: { type: 'member_field', effect: 'content', meant: (c) => c.fresh },
  rank: { type: 'member_field', effect: 'content', meant: (c) => c.rank },
  score: { type: 'member_field', effect: 'content', meant: (c) => c.score },
  score_breakdown: { type: 'member_field', effect: 'content', meant: (c) => c.raw['score_breakdown'] },
  selection_tier: { type: 'member_field', effect: 'content', meant: (c) => c.selectionTier },
};

/** Every difference between two candidates that are the same member, in the order of the rules, additive ones last. */
export function diffMember(before: Candidate, after: Candidate): OverlayChange[] {
  const known = Object.keys(RULES);
  const additive = [...new Set([...Object.keys(before.raw), ...Object.keys(after.raw)])]
    .filter((name) => !known.includes(name))
    .sort();
  return [...known, ...additive].flatMap((field) => {
    // Compared as written, so that whatever moves the revision is reported.
    if (sameValue(written(before, field), written(after, field))) return [];
    const rule = Object.hasOwn(RULES, field) ? RULES[field] : undefined;
    const meant = rule?.meant ?? ((candidate: Candidate) => written(candidate, field));
    const respelt = sameValue(meant(before), meant(after));
    const shown = respelt ? (candidate: Candidate) => written(candidate, field) : meant;
    return [
      {
        type: rule?.type ?? 'additive_field',
        effect: respelt ? 'spelling' : (rule?.effect ?? 'content'),
        capability: capabilityOf(after),
        member: memberOf(before),
        field,
        before: shown(before) ?? null,
        after: shown(after) ?? null,
      } satisfies OverlayChange,
    ];
  });
}

/** Whether two JSON values are equal; undefined, which stands for an absent member, equals only itself. */
export function sameValue(before: unknown, after: unknown): boolean {
  if (before === undefined || after === undefined) return before === after;
  return canonicalJson(before) === canonicalJson(after);
}

function written({ raw }: Candidate, field: string): unknown {
  return Object.hasOwn(raw, field) ? raw[field] : undefined;
}
