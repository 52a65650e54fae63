import { type Overlay, type ParseOverlayOptions, parseOverlay } from '@switchyard/overlay-contract';
import { hintFor } from './hints.ts';
import { DEPTH_MAX, type LocatedIssue, locateIssues } from './locate.ts';

/** An issue with its place in the file and what to do about it. */
export interface ExplainedIssue extends LocatedIssue {
  readonly hint: string;
}

/** A valid document: as the contract reads it, and as it was written. */
export interface LoadedOverlay {
  readonly overlay: Overlay;
  /** The parsed document. */
  readonly root: Readonly<Record<string, unknown>>;
  /** The hashed part: `overlay` of an envelope, else the document itself. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A valid document, or everything that is wrong with it. */
export type LoadResult =
  | { readonly ok: true; readonly loaded: LoadedOverlay }
  | { readonly ok: false; readonly issues: readonly ExplainedIssue[] };

/** Judges a document with the contract, exactly as gateways do. */
export function loadOverlay(
  bytes: Uint8Array,
  options: Omit<ParseOverlayOptions, 'maxDepth'> = {},
): LoadResult {
  const parsed = parseOverlay(bytes, { ...options, maxDepth: DEPTH_MAX });
  const root = parseJson(bytes);
  if (!parsed.ok) {
    const issues = locateIssues(bytes, parsed.issues);
    return {
      ok: false,
      issues: issues.map((issue) => ({ ...issue, hint: hintFor(issue, valueAt(root, issue.path)) })),
    };
  }
  const { overlay } = parsed;
  // The contract has just accepted exactly these shapes.
  const document = root as Readonly<Record<string, unknown>>;
  const payload = overlay.format === 'envelope' ? document['overlay'] : document;
  return {
    ok: true,
    loaded: { overlay, root: document, payload: payload as Readonly<Record<string, unknown>> },
  };
}

/** The parsed text, or undefined when it isn't JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
    ) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a parsed JSON value is an object (not null, not an array). */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of plain names and indexes; undefined when there is none. */
function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const segment of path.split(/[.[\]]+/).filter((part) => part !== '')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}
