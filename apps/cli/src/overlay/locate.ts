import { isUtf8 } from 'node:buffer';
import type { OverlayIssue } from '@switchyard/overlay-contract';
import { type JsonNode, scanJson } from './scan-json.ts';

/** A place in a file, as editors count: from 1, columns in UTF-16 code units. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** An issue with its place in the file. */
export interface LocatedIssue extends OverlayIssue, Position {}

/** The contract's own limit, set wherever a document is judged so that what is judged is what is located. */
export const DEPTH_MAX = 32;

/**
 * Finds each issue in the bytes it was found in: the value at its path; for a missing member the object that should
 * have it; for a repeated one the repetition; for text that isn't JSON the first character that can't be.
 */
export function locateIssues(bytes: Uint8Array, issues: readonly OverlayIssue[]): LocatedIssue[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const lines = lineStarts(text);
  const { root, stoppedAt } = scanJson(text, DEPTH_MAX);
  const repetitions = root === undefined ? [] : repeatedMembers(root);
  return issues.map((issue) => ({ ...issue, ...positionAt(lines, offsetOf(issue)) }));

  function offsetOf({ code, path }: OverlayIssue): number {
    if (code === 'invalid_utf8') return firstBadCharacter(bytes, text);
    if (code === 'too_large') return 0;
    if (root === undefined) return stoppedAt;
    // The contract lists repetitions in document order too.
    if (code === 'duplicate_key') return repetitions.shift() ?? locatePath(root, path).start;
    return locatePath(root, path).start;
  }
}

/** The value at a contract path such as `overlay.candidates[2].name`; as much of the path as the document has. */
export function locatePath(root: JsonNode, path: string): JsonNode {
  let node = root;
  for (const segment of pathSegments(path)) {
    const next =
      typeof segment === 'number'
        ? node.items?.[segment]
        : node.members?.findLast(({ name }) => segment.matches(name))?.node;
    if (next === undefined) break;
    node = next;
  }
  return node;
}

type Segment = number | { readonly matches: (name: string) => boolean };

const SEGMENT = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")( \(cut\))?\]/gy;

/** Long names are cut in a path, so the last kind of segment is known by its beginning. */
function pathSegments(path: string): Segment[] {
  return [...path.matchAll(SEGMENT)].map(([, plain, index, quoted, cut]) => {
    if (index !== undefined) return Number(index);
    const wanted = plain ?? String(JSON.parse(quoted ?? '""'));
    return { matches: (name) => (cut === undefined ? name === wanted : name.startsWith(wanted)) };
  });
}

/** Offsets of members whose object already has one of that name, in document order. */
function repeatedMembers(node: JsonNode): number[] {
  const names = new Set<string>();
  const inMembers = (node.members ?? []).flatMap((member) => {
    const repeated = names.has(member.name);
    names.add(member.name);
    return [...(repeated ? [member.start] : []), ...repeatedMembers(member.node)];
  });
  return [...inMembers, ...(node.items ?? []).flatMap(repeatedMembers)];
}

/** Decoding turns bad bytes into U+FFFD; a line that has a real one and also bad bytes may point at the real one. */
function firstBadCharacter(bytes: Uint8Array, text: string): number {
  let lineStart = 0;
  let byteStart = 0;
  while (byteStart < bytes.length) {
    const found = bytes.indexOf(0x0a, byteStart);
    const byteEnd = found === -1 ? bytes.length : found + 1;
    if (!isUtf8(bytes.subarray(byteStart, byteEnd))) break;
    byteStart = byteEnd;
    lineStart = text.indexOf('\n', lineStart) + 1;
  }
  return Math.max(0, text.indexOf('\uFFFD', lineStart));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function positionAt(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
