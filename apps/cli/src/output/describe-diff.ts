import { type OverlayChange, sameMeaning } from '../overlay/changes.ts';
import type { ServingChange } from '../routing/serving.ts';
import { describeChange } from './describe-change.ts';
import { describeServing } from './describe-serving.ts';
import { safeText } from './safe-text.ts';
import type { Screen } from './screen.ts';
import { table } from './table.ts';

/** Everything two overlays differ in. */
export interface OverlayDifference {
  readonly changes: readonly OverlayChange[];
  readonly serving: readonly ServingChange[];
  readonly revision: { readonly before: string; readonly after: string; readonly changed: boolean };
}

/** A difference as lines: revision, capability by capability, the document, who serves now, and the verdict. */
export function describeDiff({ changes, serving, revision }: OverlayDifference, screen: Screen): string[] {
  const { before, after, changed } = revision;
  const short = (digest: string): string => digest.slice(0, 12);
  return [
    changed
      ? `revision ${short(before)} → ${screen.paint('bold', short(after))}`
      : `revision ${short(before)}, unchanged`,
    ...byTitle(changes).flatMap(([title, part]) => [
      '',
      screen.paint('bold', title),
      ...section(part, screen),
    ]),
    ...servingLines(serving, screen),
    '',
    ...verdict(changes, screen),
  ];
}

/** Changes under the heading they belong to, in the order they came. */
function byTitle(changes: readonly OverlayChange[]): [string, OverlayChange[]][] {
  const sections = new Map<string, OverlayChange[]>();
  for (const change of changes) {
    const { capability } = change;
    const title = capability === null ? 'document' : `${capability.kind} ${safeText(capability.name)}`;
    const part = sections.get(title);
    if (part === undefined) sections.set(title, [change]);
    else part.push(change);
  }
  return [...sections];
}

function section(changes: readonly OverlayChange[], screen: Screen): string[] {
  const painted = (text: string, column: number): string => {
    if (column > 0) return text;
    if (text.startsWith('+')) return screen.paint('green', text);
    return text.startsWith('-') ? screen.paint('red', text) : text;
  };
  return table(rows(changes), {
    width: screen.width,
    paint: (text, { column }) => painted(text, column),
  });
}

/** One insertion shifts the rank of everybody after it: from this many on, such changes share a line. */
const SHARED_FROM = 4;

/** A row per change; changes of one member that no decision depends on share a row when many candidates have them. */
function rows(changes: readonly OverlayChange[]): (readonly [string, string])[] {
  const sharing = new Map<string, number>();
  for (const change of changes) {
    const key = sharedKey(change);
    if (key !== undefined) sharing.set(key, (sharing.get(key) ?? 0) + 1);
  }
  const shown = new Set<string>();
  return changes.flatMap((change) => {
    const key = sharedKey(change) ?? '';
    const count = sharing.get(key) ?? 0;
    if (count < SHARED_FROM) return [describeChange(change)];
    if (shown.has(key)) return [];
    shown.add(key);
    return [[`~ ${count} candidates`, `${key} (each with --json)`] as const];
  });
}

function sharedKey({ effect, field, member }: OverlayChange): string | undefined {
  if (member === null || field === null || (effect !== 'content' && effect !== 'spelling')) return undefined;
  return `${safeText(field)} ${effect === 'spelling' ? 'in other words' : 'changed'}`;
}

function servingLines(serving: readonly ServingChange[], screen: Screen): string[] {
  if (serving.length === 0) return [];
  const lines = serving.flatMap(({ capability, before, after }) => [
    `  ${capability.kind} ${safeText(capability.name)}`,
    ...table(
      [
        ['before', describeServing(before)],
        ['after', describeServing(after)],
      ],
      { width: screen.width, indent: 4 },
    ),
  ]);
  return ['', screen.paint('bold', 'new requests go to'), ...lines];
}

function verdict(changes: readonly OverlayChange[], screen: Screen): string[] {
  if (changes.length === 0) return [screen.paint('green', 'The documents say the same.')];
  const counts = new Map<string, number>();
  for (const { effect } of changes) counts.set(effect, (counts.get(effect) ?? 0) + 1);
  const parts = [...counts].map(([effect, count]) => `${count} ${effect}`).join(', ');
  return [
    `${changes.length} difference${changes.length === 1 ? '' : 's'}: ${parts}.`,
    sameMeaning(changes)
      ? screen.paint('green', 'The meaning is the same.')
      : screen.paint('yellow', 'The meaning differs.'),
  ];
}
