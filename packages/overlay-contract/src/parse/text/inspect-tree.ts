// Hot path: visits every value of the parsed tree once.
/// <reference lib="es2024.string" />
import { type OverlayIssue, pathText } from '../../issues.ts';
import { ISSUES_MAX } from '../../limits.ts';

/** What one walk over the parsed tree learns. */
export interface TreeInspection {
  /** Members kept by the parser. Fewer than the colons written means that a name was repeated. */
  readonly members: number;
  /** Values that have no canonical form: lone surrogates, numbers that overflowed to infinity. */
  readonly issues: readonly OverlayIssue[];
}

/**
 * Counts members and finds what cannot be canonicalised, anywhere in the document: the hashed part or not.
 * The depth is bounded by the scan before.
 */
export function inspectTree(root: unknown): TreeInspection {
  const path: PropertyKey[] = [];
  const issues: OverlayIssue[] = [];
  let members = 0;

  function refuse(message: string): void {
    if (issues.length < ISSUES_MAX)
      issues.push({ code: 'not_canonicalizable', path: pathText(path), message });
  }

  function visit(value: unknown): void {
    if (typeof value === 'string') {
      if (!value.isWellFormed())
        refuse('the string holds a lone surrogate escape; expected paired surrogates.');
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) refuse('the number is too large for a double; write it as a string.');
    } else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        path.push(index);
        visit(value[index]);
        path.pop();
      }
    } else if (typeof value === 'object' && value !== null) visitObject(value);
  }

  function visitObject(object: object): void {
    const keys = Object.keys(object);
    members += keys.length;
    for (const key of keys) {
      path.push(key);
      if (!key.isWellFormed())
        refuse('the member name holds a lone surrogate escape; expected paired surrogates.');
      visit((object as Record<string, unknown>)[key]);
      path.pop();
    }
  }

  visit(root);
  return { members, issues };
}
