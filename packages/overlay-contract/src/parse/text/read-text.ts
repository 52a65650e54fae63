import { isUtf8 } from 'node:buffer';
import type { OverlayIssue } from '../../issues.ts';
import type { ResolvedParseOptions } from '../../limits.ts';
import { type JsonScan, scanJson } from './scan-json.ts';

/** A parsed tree, not yet judged. */
export interface ReadDocument {
  readonly text: string;
  readonly root: unknown;
  /** Members the text writes. The tree has fewer exactly when a name was repeated. */
  readonly membersWritten: number;
}

/** A parsed tree, or why there is none. */
export type ReadTextResult =
  | { readonly ok: true; readonly document: ReadDocument }
  | { readonly ok: false; readonly issues: readonly OverlayIssue[] };

/**
 * Bytes to a tree, strictest first: size, byte order mark, UTF-8, depth, JSON. Each of these ends the reading, since
 * nothing after it could be trusted. What only shows in the tree, `check-tree.ts` finds.
 */
export function readText(bytes: Uint8Array, options: ResolvedParseOptions): ReadTextResult {
  if (bytes.length > options.maxBytes) {
    return failed(
      'too_large',
      `the document has ${bytes.length} bytes; at most ${options.maxBytes} are read.`,
    );
  }
  const encoding = encodingIssue(bytes);
  if (encoding !== undefined) return { ok: false, issues: [encoding] };

  const scan = scanJson(bytes, options.maxDepth);
  if (scan.tooDeepAt >= 0) {
    return failed(
      'too_deep',
      `objects and arrays nest more than ${options.maxDepth} deep at byte ${scan.tooDeepAt}; flatten the document.`,
    );
  }
  return parseText(bytes, scan);
}

function parseText(bytes: Uint8Array, scan: JsonScan): ReadTextResult {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  try {
    const root: unknown = JSON.parse(text);
    return { ok: true, document: { text, root, membersWritten: scan.colons } };
  } catch (error) {
    return failed('malformed_json', jsonMessage(bytes, scan, error));
  }
}

function encodingIssue(bytes: Uint8Array): OverlayIssue | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return issue(
      'malformed_json',
      'the document starts with a byte order mark; save it as UTF-8 without one.',
    );
  }
  if (isUtf8(bytes)) return undefined;
  return issue('invalid_utf8', 'the bytes are not UTF-8; save the document as UTF-8.');
}

/** Says where, never what: a parser's own message quotes the document, which may hold secret names. */
function jsonMessage(bytes: Uint8Array, scan: JsonScan, error: unknown): string {
  if (bytes.length === 0)
    return 'the document is empty: perhaps read while being written. Expected a JSON object.';
  if (bytes.includes(0))
    return 'the document holds NUL bytes: perhaps a torn write, or UTF-16. Expected JSON in UTF-8.';
  if (scan.stringAtEnd || scan.openAtEnd > 0) {
    const inside = scan.stringAtEnd ? 'a string' : `${scan.openAtEnd} open objects or arrays`;
    return `the document ends inside ${inside}: perhaps read while being written. Expected complete JSON.`;
  }
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return `the text is not JSON${position === undefined ? '' : ` at character ${position}`}; check it with a JSON tool.`;
}

function issue(code: OverlayIssue['code'], message: string): OverlayIssue {
  return { code, path: '', message };
}

function failed(code: OverlayIssue['code'], message: string): ReadTextResult {
  return { ok: false, issues: [issue(code, message)] };
}
