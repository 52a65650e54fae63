import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import {
  expandReferences,
  type MaskedText,
  maskReferences,
  reservedCharacter,
  unmask,
} from './expand-env.ts';

/** A place in a config file, 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Something wrong with the text itself, before any schema is asked. */
interface SourceProblem extends Position {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A parsed config text that still knows where everything stood. */
export interface YamlSource {
  /** Plain data with references expanded and scalars typed. `null` for an empty file. */
  readonly value: unknown;
  readonly problems: readonly SourceProblem[];
  /** Where the value at `path` stands; for a missing key, where its parent does. */
  locate(path: readonly PropertyKey[]): Position;
  /** Where the key itself stands (for an unknown key). */
  locateKey(path: readonly PropertyKey[]): Position;
  /** The `${...}` that supplied the value at `path` from the environment, if any. */
  envReference(path: readonly PropertyKey[]): string | undefined;
}

/** Parses YAML 1.2 (and so JSON), expands `${ENV}` inside scalars, then types them. Never throws. */
export function parseYamlSource(text: string, env: NodeJS.ProcessEnv): YamlSource {
  const masked = maskReferences(text);
  const lines = new LineCounter();
  const document = parseDocument(masked.text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems: SourceProblem[] = [];
  const reserved = reservedCharacter(text);
  if (reserved !== -1) {
    const message =
      'found a private-use character (U+E000 to U+E002), which a config file cannot hold; use an escape such as "\\uE000"';
    problems.push({ ...at(reserved), path: [], message });
  }
  for (const issue of [...document.errors, ...document.warnings]) {
    problems.push({
      ...at(issue.pos[0]),
      path: [],
      message: syntaxMessage(issue.code, unmask(issue.message, masked)),
    });
  }
  const origins = new Map<Node, string>();
  if (problems.length === 0) problems.push(...expandDocument({ document, masked, env, origins, at }));
  const value = toPlain(document, problems);
  const offsetOf = (path: readonly PropertyKey[], wantKey: boolean): Position =>
    at(offsetAt(document, path, wantKey));
  return {
    value,
    problems,
    locate: (path) => offsetOf(path, false),
    locateKey: (path) => offsetOf(path, true),
    envReference: (path) => {
      const { node, complete } = walk(document, path);
      const scalar = isAlias(node) ? node.resolve(document) : node;
      return complete && scalar !== undefined ? origins.get(scalar) : undefined;
    },
  };
}

function syntaxMessage(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return 'this key stands twice in the same mapping; keep one';
  if (code === 'MULTIPLE_DOCS') return 'found a second YAML document; a config file holds one';
  return `not valid YAML: ${message.replace(/\s+/g, ' ').trim()}`;
}

interface ExpandInput {
  readonly document: Document.Parsed;
  readonly masked: MaskedText;
  readonly env: NodeJS.ProcessEnv;
  readonly origins: Map<Node, string>;
  readonly at: (offset: number) => Position;
}

function expandDocument(input: ExpandInput): SourceProblem[] {
  const { document, masked, env, origins, at } = input;
  const problems: SourceProblem[] = [];
  visit(document, {
    Scalar(key, node, ancestors) {
      if (typeof node.value !== 'string') return;
      if (key === 'key') {
        node.value = unmask(node.value, masked);
        return;
      }
      if (!node.value.includes('\uE000') && !node.value.includes('${')) return;
      const expansion = expandReferences(node.value, masked, env);
      for (const problem of expansion.problems) {
        const place = at(problem.offset ?? node.range?.[0] ?? 0);
        problems.push({ ...place, path: pathOf(node, ancestors), message: problem.message });
      }
      node.value =
        node.type === 'PLAIN' && node.tag === undefined ? typed(document, expansion.text) : expansion.text;
      const [reference] = expansion.fromEnv;
      if (reference !== undefined) origins.set(node, reference);
    },
  });
  return problems;
}

/** Types a plain scalar exactly as the parser would have, had the text stood in the file: `8080` becomes a number. */
function typed(document: Document.Parsed, text: string): unknown {
  for (const tag of document.schema.tags) {
    if (tag.collection !== undefined || tag.default !== true || tag.test?.test(text) !== true) continue;
    const resolved = tag.resolve(text, () => undefined, document.options);
    return isScalar(resolved) ? resolved.value : resolved;
  }
  return text;
}

function toPlain(document: Document.Parsed, problems: SourceProblem[]): unknown {
  if (document.errors.length > 0) return undefined;
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    problems.push({ line: 1, column: 1, path: [], message: `not usable: ${message}` });
    return undefined;
  }
}

interface Walk {
  readonly node: Node | undefined;
  readonly keyNode: Node | undefined;
  /** False when the path leaves what the file holds: `node` is then the deepest node that exists. */
  readonly complete: boolean;
}

function walk(document: Document.Parsed, path: readonly PropertyKey[]): Walk {
  let node: Node | undefined = document.contents ?? undefined;
  let keyNode: Node | undefined;
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isScalar(item.key) && String(item.key.value) === String(segment),
      );
      if (pair === undefined) return { node, keyNode, complete: false };
      keyNode = pair.key as Node;
      node = (pair.value as Node | null) ?? undefined;
    } else if (isSeq(node)) {
      const item = node.items[Number(segment)] as Node | undefined;
      if (item === undefined) return { node, keyNode, complete: false };
      keyNode = undefined;
      node = item;
    } else {
      return { node, keyNode, complete: false };
    }
  }
  return { node, keyNode, complete: true };
}

function offsetAt(document: Document.Parsed, path: readonly PropertyKey[], wantKey: boolean): number {
  const { node, keyNode, complete } = walk(document, path);
  // A missing key is best shown at the key that owns the mapping, not at the mapping's first line.
  const preferred = complete && !wantKey ? (node ?? keyNode) : (keyNode ?? node);
  return preferred?.range?.[0] ?? 0;
}

function pathOf(node: Scalar, ancestors: readonly unknown[]): PropertyKey[] {
  const path: PropertyKey[] = [];
  for (const [index, ancestor] of ancestors.entries()) {
    const child = ancestors[index + 1] ?? node;
    if (isPair(ancestor))
      path.push(isScalar(ancestor.key) ? String(ancestor.key.value) : String(ancestor.key));
    else if (isSeq(ancestor)) path.push(ancestor.items.indexOf(child));
  }
  return path;
}
