import { didYouMean } from '../text/nearest.ts';
import type { ManifestIssue } from './issues.ts';
import type { GridObject, Report } from './parse-object.ts';

/** A valid object with a way to make an issue about it. */
export interface PlacedObject {
  readonly object: GridObject;
  readonly report: Report;
}

/** The objects that can be used, and what is wrong between objects. */
export interface CheckedObjects {
  readonly usable: readonly GridObject[];
  readonly issues: readonly ManifestIssue[];
}

/**
 * Checks what one document can't show: two objects of one kind and name (none of them is used: which one is meant must
 * not depend on file names), and references to networks that don't exist.
 *
 * @param known - issues found so far: a network whose own manifest is broken is not called unknown as well.
 */
export function checkInventory(
  placed: readonly PlacedObject[],
  known: readonly ManifestIssue[],
): CheckedObjects {
  const sets = [...groupByName(placed).values()];
  const unique = sets.flatMap((same) => (same.length === 1 ? same : []));
  const duplicates = sets.filter((same) => same.length > 1).flatMap(duplicateIssues);
  const dangling = danglingReferences(unique, [...known, ...duplicates]);
  return { usable: unique.map(({ object }) => object), issues: [...duplicates, ...dangling] };
}

function groupByName(placed: readonly PlacedObject[]): Map<string, PlacedObject[]> {
  const sets = new Map<string, PlacedObject[]>();
  for (const entry of placed) {
    const key = JSON.stringify([entry.object.kind, entry.object.metadata.name]);
    const set = sets.get(key);
    if (set === undefined) sets.set(key, [entry]);
    else set.push(entry);
  }
  return sets;
}

/** Other places that an issue about a duplicate names. */
const PLACES_SHOWN = 5;

function duplicateIssues(same: readonly PlacedObject[]): ManifestIssue[] {
  const places = same.map(({ object }) => `${object.source.file}:${object.source.line}`).sort();
  const hidden = same.length - 1 - PLACES_SHOWN;
  const more = hidden > 0 ? ` and ${hidden} more` : '';
  return same.map(({ object, report }) => {
    const own = `${object.source.file}:${object.source.line}`;
    // One more than shown, as the object's own place may be among them; of equal places only one is its own.
    const others = places.slice(0, PLACES_SHOWN + 1);
    const self = others.indexOf(own);
    if (self >= 0) others.splice(self, 1);
    const shown = others.slice(0, PLACES_SHOWN).join(', ');
    const message = `${object.kind} "${object.metadata.name}" is also defined at ${shown}${more}; keep one`;
    return report('duplicate_object', ['metadata', 'name'], message);
  });
}

function danglingReferences(
  unique: readonly PlacedObject[],
  known: readonly ManifestIssue[],
): ManifestIssue[] {
  const names = unique.flatMap(({ object }) => (object.kind === 'GridNetwork' ? [object.metadata.name] : []));
  const excused = new Set([...names, ...known.flatMap(({ network }) => network ?? [])]);
  return unique.flatMap(({ object, report }) => {
    if (object.kind === 'GridNetwork' || excused.has(object.spec.gridNetworkRef)) return [];
    const name = object.spec.gridNetworkRef;
    const message = `there is no GridNetwork "${name}".${didYouMean(name, names)}`;
    return [report('unknown_network', ['spec', 'gridNetworkRef'], message)];
  });
}
