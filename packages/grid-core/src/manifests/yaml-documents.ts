import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, visit } from 'yaml';

/** A place in a document where YAML itself is wrong. */
interface SyntaxFault {
  readonly line: number;
  readonly message: string;
}

/** One document of a manifest file. */
export interface ManifestDocument {
  /** Plain data; best effort when there are faults; `undefined` when nothing could be read. */
  readonly value: unknown;
  /** The document's own text, comments included. A broken document can have swallowed the ones after it. */
  readonly text: string;
  /** First line of the content, from 1. */
  readonly line: number;
  readonly faults: readonly SyntaxFault[];
  /** The line of a field, or of the nearest enclosing one that exists. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** Faults shown per document; one mistake in YAML often causes a row of them. */
const FAULTS_MAX = 5;
/** Aliases may multiply content; past this a document is refused, not expanded. */
const ALIASES_MAX = 100;

/** Splits a file into its documents; those without content are left out. Never throws. */
export function readDocuments(text: string): ManifestDocument[] {
  const lines = new LineCounter();
  try {
    const stream = parseAllDocuments(text, {
      lineCounter: lines,
      // What is wrong comes back as values; nothing is written to the process's warnings.
      logLevel: 'error',
      prettyErrors: false,
      stringKeys: true,
      uniqueKeys: true,
    });
    if ('empty' in stream) return stream.errors.map(({ message }) => unreadable(text, message));
    return stream
      .filter((document) => document.contents !== null || document.errors.length > 0)
      .map((document) => readDocument(document, text, lines))
      .filter((document) => document.value !== null || document.faults.length > 0);
  } catch (error) {
    // The parser reports mistakes as values; nesting deeper than the stack is what is left to be thrown.
    return [unreadable(text, messageOf(error))];
  }
}

/** A file of which there is nothing but its text. */
function unreadable(text: string, message: string): ManifestDocument {
  return { value: undefined, text, line: 1, faults: [{ line: 1, message }], lineOf: () => 1 };
}

function readDocument(document: Document.Parsed, text: string, lines: LineCounter): ManifestDocument {
  const [start, , end] = document.range;
  const contentStart = document.contents?.range[0] ?? start;
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const faults = [...document.errors, ...document.warnings].map((fault) => ({
    line: lineAt(fault.pos[0]),
    message: fault.message,
  }));
  let value: unknown;
  try {
    faults.push(
      ...forbiddenKeys(document).map((offset) => ({ line: lineAt(offset), message: FORBIDDEN_KEY })),
    );
    value = document.toJS({ maxAliasCount: ALIASES_MAX });
  } catch (error) {
    faults.push({ line: lineAt(contentStart), message: messageOf(error) });
  }
  return {
    value,
    text: text.slice(start, end),
    line: lineAt(contentStart),
    faults: faults.slice(0, FAULTS_MAX),
    lineOf: (path) => lineAt(offsetOf(document, path) ?? contentStart),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const FORBIDDEN_KEY = 'the key "__proto__" is not allowed';

/** Schemas drop this key silently, and a selector that lost its only label would let everybody in. */
function forbiddenKeys(document: Document.Parsed): number[] {
  const offsets: number[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === '__proto__') offsets.push(key.range?.[0] ?? 0);
    },
  });
  return offsets;
}

/** Walks the syntax tree along a path as far as it goes. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const key of path) {
    const container = isAlias(node) ? node.resolve(document) : node;
    if (isMap(container)) {
      const pair = container.items.find((item) => isScalar(item.key) && item.key.value === key);
      if (!isScalar(pair?.key)) return offset;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(container) && typeof key === 'number') {
      node = container.items[key];
      offset = startOf(node) ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range?.[0] : undefined;
}
