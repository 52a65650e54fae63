import type { z } from 'zod';
import { nearest } from '../text/nearest.ts';

/** A name in a config that points at something which does not exist there. */
export interface DanglingReference {
  /** Where the name stands, from the value under refinement: `['routes', 2, 'cluster']`. */
  readonly path: readonly PropertyKey[];
  /** What it should name: `cluster`. */
  readonly what: string;
  /** The name that was found. */
  readonly name: string;
  /** The names that exist. */
  readonly known: Iterable<string>;
}

/**
 * Adds a `no such cluster "bakend", did you mean "backend"?` issue from a schema's `superRefine`.
 * Returns whether the issue was added: nothing is added when the name is known.
 */
export function danglingReference(ctx: z.core.$RefinementCtx, reference: DanglingReference): boolean {
  const known = [...new Set(reference.known)];
  if (known.includes(reference.name)) return false;
  const [suggestion] = nearest(reference.name, known);
  const defined = known.length === 0 ? `; no ${reference.what} is defined` : `; defined: ${known.join(', ')}`;
  const message = `no such ${reference.what} ${JSON.stringify(reference.name)}${suggestion === undefined ? defined : ''}`;
  ctx.addIssue({
    code: 'custom',
    path: [...reference.path],
    message,
    input: reference.name,
    params: suggestion === undefined ? {} : { suggestion },
  });
  return true;
}
