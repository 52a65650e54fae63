import { soundsSecret } from './secret-names.ts';

const SHOWN_CHARACTERS = 60;

/** Where a described value came from: decides how much of it may be shown. */
export interface ValueOrigin {
  readonly path: readonly PropertyKey[];
  /** `${NAME}` when the environment supplied it. */
  readonly envReference: string | undefined;
}

/**
 * A found value in words, for an error message. Values that came from the environment or stand under a name that
 * sounds secret are described, never shown.
 */
export function describeValue(value: unknown, origin: ValueOrigin): string {
  if (value === undefined) return 'nothing';
  if (value === null)
    return origin.envReference === undefined ? 'nothing (null)' : `nothing (from ${origin.envReference})`;
  if (Array.isArray(value))
    return value.length === 1 ? 'a list of 1 item' : `a list of ${value.length} items`;
  if (typeof value === 'object') return 'a mapping';
  if (origin.envReference !== undefined) return `a ${typeof value} from ${origin.envReference}`;
  if (!mayBeShown(origin)) return `a ${typeof value} (not shown)`;
  if (typeof value !== 'string') return `the ${typeof value} ${String(value)}`;
  const text = value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}...` : value;
  return JSON.stringify(text);
}

/** False when the environment supplied the value, or its key sounds like a secret's. */
export function mayBeShown(origin: ValueOrigin): boolean {
  return origin.envReference === undefined && !soundsSecret(String(origin.path.at(-1) ?? ''));
}
