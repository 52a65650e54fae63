import { type OverlayIssue, pathText } from '../../issues.ts';
import { findDuplicateKeys } from './find-duplicate-keys.ts';
import { inspectTree } from './inspect-tree.ts';
import type { ReadDocument } from './read-text.ts';

/** What only the parsed tree shows. */
export interface TreeCheck {
  /** Repeated names: nothing else in the tree can be trusted then. */
  readonly duplicates: readonly OverlayIssue[];
  /** Values without a canonical form. */
  readonly values: readonly OverlayIssue[];
}

/** Finds repeated names and values without a canonical form, anywhere in a document, hashed or not. */
export function checkTree({ text, root, membersWritten }: ReadDocument): TreeCheck {
  const { members, issues } = inspectTree(root);
  if (members === membersWritten) return { duplicates: [], values: issues };
  const duplicates = findDuplicateKeys(text).map(({ path, offset }): OverlayIssue => {
    const message = `the member is written twice in one object, again at character ${offset}; readers disagree on which one counts: keep one.`;
    return { code: 'duplicate_key', path: pathText(path), message };
  });
  return { duplicates, values: issues };
}
