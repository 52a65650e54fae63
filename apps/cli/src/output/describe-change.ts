import type { MemberName, OverlayChange } from '../overlay/changes.ts';
import { isObject } from '../overlay/load-overlay.ts';
import { safeText } from './safe-text.ts';

/** Longest value shown; the whole stands in `--json`. */
const VALUE_MAX = 60;

/** What a change is about and what happened, for two columns of a table. */
export function describeChange(change: OverlayChange): readonly [subject: string, event: string] {
  const { member, type } = change;
  if (member === null) return [`~ ${subjectOf(change)}`, event(change)];
  const sign = type === 'member_added' ? '+' : type === 'member_removed' ? '-' : '~';
  return [`${sign} ${safeText(member.cluster)} (${safeText(member.site)})`, event(change)];
}

function subjectOf({ type, field }: OverlayChange): string {
  if (type === 'metadata' || type === 'scope') return safeText(field ?? type);
  return type === 'document_order' ? 'order of capabilities' : type;
}

function event({ type, effect, field, before, after }: OverlayChange): string {
  if (type === 'member_added') return `added${placeOf(after, ' to')}`;
  if (type === 'member_removed') return `removed${placeOf(before, ', was in')}`;
  if (type === 'document_order') return 'written in another order; no decision depends on it';
  if (type === 'order') {
    const idle = effect === 'routing' ? '' : ' (no effect under this policy)';
    return `${names(before)} → ${names(after)}${idle}`;
  }
  const what = WORDS[type] ?? safeText(field ?? '');
  const remark = effect === 'spelling' ? ' (the same in other words)' : (REMARKS[type] ?? '');
  return `${what === '' ? '' : `${what} `}${shown(before)} → ${shown(after)}${remark}`;
}

/** Words before the values; a change without a member already names its subject. */
const WORDS: Readonly<Partial<Record<OverlayChange['type'], string>>> = {
  group: 'group',
  admission: 'admission',
  weight: 'weight',
  stable_id: 'stable id',
  credential: 'credential',
  policy: '',
  network: '',
  local_site: '',
  format: '',
  scope: '',
  metadata: '',
};

const REMARKS: Readonly<Partial<Record<OverlayChange['type'], string>>> = {
  stable_id: ' (its sessions are bound anew; provider gateways must know the new id)',
  additive_field: ' (additive)',
};

function placeOf(raw: unknown, preposition: string): string {
  if (!isObject(raw)) return '';
  const { selection_group: group, traffic_weight: weight, admission_state: admission } = raw;
  return [
    group === undefined ? '' : `${preposition} group ${shown(group)}`,
    weight === undefined ? '' : `, weight ${shown(weight)}`,
    admission === undefined || admission === 'new_and_existing' ? '' : `, ${shown(admission)}`,
  ].join('');
}

function names(members: unknown): string {
  return (members as readonly MemberName[]).map(({ cluster }) => safeText(cluster)).join(', ');
}

function shown(value: unknown): string {
  if (value === null) return 'none';
  if (isObject(value) && isObject(value['secretRef'])) {
    const { namespace, name, key } = value['secretRef'];
    return safeText(`${String(namespace)}/${String(name)}#${String(key)}`);
  }
  const text = safeText(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length <= VALUE_MAX ? text : `${text.slice(0, VALUE_MAX)}…`;
}
