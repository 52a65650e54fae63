import type { GridInventory } from '../model.ts';
import { compareUtf8 } from '../text/compare-utf8.ts';
import { checkInventory, type PlacedObject } from './check-inventory.ts';
import { type ManifestIssue, sortIssues } from './issues.ts';
import { type GridObject, parseObject } from './parse-object.ts';
import { readDocuments } from './yaml-documents.ts';

/** A manifest file that the caller has read: one or more YAML documents. */
export interface ManifestFile {
  /** Shown in issues and otherwise without meaning. */
  readonly path: string;
  readonly text: string;
}

/** Everything that a set of manifest files holds. */
export interface ParsedManifests {
  readonly inventory: GridInventory;
  /** What is wrong, sorted by place. Hand it on to `renderOverlays`, so that nothing is rendered from half a network. */
  readonly issues: readonly ManifestIssue[];
}

/**
 * Reads manifests of the kinds GridNetwork, GridSite and InferenceProvider. Never throws: whatever is wrong becomes an
 * issue, and every valid object is returned all the same. The result does not depend on the order of files or
 * documents.
 */
export function parseManifests(files: readonly ManifestFile[]): ParsedManifests {
  const placed: PlacedObject[] = [];
  const issues: ManifestIssue[] = [];
  for (const file of files) {
    for (const document of readDocuments(file.text)) {
      const parsed = parseObject(document, file.path);
      issues.push(...parsed.issues);
      if (parsed.object !== undefined) placed.push({ object: parsed.object, report: parsed.report });
    }
  }
  const checked = checkInventory(placed, issues);
  return { inventory: toInventory(checked.usable), issues: sortIssues([...issues, ...checked.issues]) };
}

function toInventory(objects: readonly GridObject[]): GridInventory {
  const sorted = [...objects].sort((left, right) => compareUtf8(left.metadata.name, right.metadata.name));
  return {
    networks: sorted.filter((object) => object.kind === 'GridNetwork'),
    sites: sorted.filter((object) => object.kind === 'GridSite'),
    providers: sorted.filter((object) => object.kind === 'InferenceProvider'),
  };
}
