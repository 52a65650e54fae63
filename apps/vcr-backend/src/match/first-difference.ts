import { describeString, describeValue } from '../json/describe-value.ts';
import { jsonPath } from '../json/json-path.ts';

/** One place where a request and a cassette disagree. */
interface Difference {
  /** Place in the body, such as `messages[0].content`; empty for the body as a whole. */
  readonly path: string;
  /** What the cassette has there, shortened; `nothing` when it has no such member. */
  readonly expected: string;
  /** What the request has there, shortened; `nothing` when it has no such member. */
  readonly found: string;
}

/** Distance between two bodies: see {@link compareBodies}. */
export interface Comparison {
  /** The first difference, members taken in sorted order; absent when the bodies are equal. */
  readonly first: Difference | undefined;
  /** How many places differ. A lower bound when `distance` reached the limit. */
  readonly count: number;
  /** Sum over the differing places: 0.2 to 1 for two texts, by how much of them is alike; 1 for anything else. */
  readonly distance: number;
}

interface Walk {
  first: Difference | undefined;
  count: number;
  distance: number;
  readonly limit: number;
  readonly path: PropertyKey[];
}

/**
 * Compares a cassette's body with a request's, as JSON values.
 *
 * @param ignore - top-level members that take no part
 * @param limit - stop counting once the distance is this large; default: never
 */
export function compareBodies(
  bodies: { readonly expected: unknown; readonly found: unknown },
  ignore: ReadonlySet<string>,
  limit: number = Number.POSITIVE_INFINITY,
): Comparison {
  const walk: Walk = { first: undefined, count: 0, distance: 0, limit, path: [] };
  compare(walk, withoutIgnored(bodies.expected, ignore), withoutIgnored(bodies.found, ignore));
  return { first: walk.first, count: walk.count, distance: walk.distance };
}

function withoutIgnored(body: unknown, ignore: ReadonlySet<string>): unknown {
  if (!isObject(body)) return body;
  // Null prototype: `__proto__` is an ordinary member here.
  const kept = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(body)) if (!ignore.has(key)) kept[key] = body[key];
  return kept;
}

function compare(walk: Walk, expected: unknown, found: unknown): void {
  if (walk.distance >= walk.limit || expected === found) return;
  if (Array.isArray(expected) && Array.isArray(found)) compareArrays(walk, expected, found);
  else if (isObject(expected) && isObject(found)) compareObjects(walk, expected, found);
  else if (typeof expected === 'string' && typeof found === 'string') {
    const prefix = commonPrefix(expected, found);
    const alike = prefix + commonSuffix(expected, found, prefix);
    const cost = 1 - (0.8 * alike) / Math.max(expected.length, found.length);
    add(walk, cost, () => [describeString(expected, prefix), describeString(found, prefix)]);
  } else add(walk, 1, () => [describeValue(expected), describeValue(found)]);
}

function compareArrays(walk: Walk, expected: readonly unknown[], found: readonly unknown[]): void {
  const length = Math.max(expected.length, found.length);
  for (let i = 0; i < length && walk.distance < walk.limit; i++) {
    walk.path.push(i);
    if (i >= expected.length) add(walk, 1, () => ['nothing', describeValue(found[i])]);
    else if (i >= found.length) add(walk, 1, () => [describeValue(expected[i]), 'nothing']);
    else compare(walk, expected[i], found[i]);
    walk.path.pop();
  }
}

function compareObjects(walk: Walk, expected: Record<string, unknown>, found: Record<string, unknown>): void {
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  for (const key of keys) {
    if (walk.distance >= walk.limit) return;
    walk.path.push(key);
    if (!Object.hasOwn(expected, key)) add(walk, 1, () => ['nothing', describeValue(found[key])]);
    else if (!Object.hasOwn(found, key)) add(walk, 1, () => [describeValue(expected[key]), 'nothing']);
    else compare(walk, expected[key], found[key]);
    walk.path.pop();
  }
}

function add(walk: Walk, cost: number, describe: () => [expected: string, found: string]): void {
  walk.count += 1;
  walk.distance += cost;
  if (walk.first !== undefined) return;
  const [expected, found] = describe();
  walk.first = { path: jsonPath(walk.path), expected, found };
}

function commonPrefix(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let n = 0;
  while (n < end && a.charCodeAt(n) === b.charCodeAt(n)) n++;
  return n;
}

function commonSuffix(a: string, b: string, prefix: number): number {
  const end = Math.min(a.length, b.length) - prefix;
  let n = 0;
  while (n < end && a.charCodeAt(a.length - 1 - n) === b.charCodeAt(b.length - 1 - n)) n++;
  return n;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
