import { HASHED_MEMBERS } from '../../canonical/digest.ts';
import { inspectTree } from './inspect-tree.ts';

const HASHED: ReadonlySet<string> = new Set(HASHED_MEMBERS);
const OVERLAY: ReadonlySet<string> = new Set(['overlay']);

/**
 * Members of a document that do not stand inside a hashed value: the rest of what the digest counts. Undefined when
 * one of them has no canonical form.
 */
export function countOutside(
  format: 'envelope' | 'legacy',
  root: Readonly<Record<string, unknown>>,
): number | undefined {
  if (format === 'legacy') return countBut(root, HASHED);
  const around = countBut(root, OVERLAY);
  const payload = countBut(root['overlay'] as Readonly<Record<string, unknown>>, HASHED);
  return around === undefined || payload === undefined ? undefined : around + payload;
}

/** All members of an object and in it, without looking into those named. */
function countBut(
  object: Readonly<Record<string, unknown>>,
  skipped: ReadonlySet<string>,
): number | undefined {
  const entries = Object.entries(object);
  const kept = entries.filter(([name]) => !skipped.has(name));
  // fromEntries defines members, so one named __proto__ stays data.
  const { members, issues } = inspectTree(Object.fromEntries(kept));
  return issues.length > 0 ? undefined : members + entries.length - kept.length;
}
