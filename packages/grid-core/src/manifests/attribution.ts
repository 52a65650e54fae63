import { nearest } from '../text/nearest.ts';
import type { IssueGateway } from './issues.ts';

/** Whom an issue holds back, as far as a document tells. */
export interface Attribution {
  readonly network?: string;
  readonly gateways?: readonly IssueGateway[];
}

/**
 * The network a document belongs to: `metadata.name` of a GridNetwork (a misspelt kind counts), else
 * `spec.gridNetworkRef`, else the first `gridNetworkRef:` of its text, wherever that was put by mistake.
 */
export function attribute(value: unknown, text: string, kinds: readonly string[]): Attribution {
  const kind = member(value, 'kind');
  if (typeof kind === 'string' && nearest(kind, kinds) === 'GridNetwork') {
    const name = nonBlank(member(member(value, 'metadata'), 'name'));
    return name === undefined ? {} : { network: name, gateways: declaredGateways(value) };
  }
  const network = networkRef(value) ?? networkRefsIn(text)[0];
  return network === undefined ? {} : { network };
}

function networkRef(value: unknown): string | undefined {
  return nonBlank(member(member(value, 'spec'), 'gridNetworkRef'));
}

/** The gateways of a GridNetwork that is not valid, so that each of them can be told. */
function declaredGateways(value: unknown): IssueGateway[] {
  const refs = member(member(value, 'spec'), 'gatewayRefs');
  if (!Array.isArray(refs)) return [];
  return refs.flatMap((ref: unknown) => {
    const name = nonBlank(member(ref, 'name'));
    const namespace = nonBlank(member(ref, 'namespace'));
    return name === undefined || namespace === undefined ? [] : [{ name, namespace }];
  });
}

/**
 * Every network a document with broken YAML may belong to, from partial data and from its text.
 *
 * Several, because an unclosed quote or bracket swallows the documents after it. Holding back one network too many
 * keeps its last published overlay; one too few would publish an overlay that lacks a provider.
 */
export function networksOfBroken(value: unknown, text: string): string[] {
  const found = new Set<string>();
  const partial = networkRef(value);
  if (partial !== undefined) found.add(partial);
  for (const chunk of text.split(/^---(?=\s|$)/m)) {
    for (const name of networkRefsIn(chunk)) found.add(name);
    if (!KIND_NETWORK.test(chunk)) continue;
    const name = metadataNameIn(chunk);
    if (name !== undefined) found.add(name);
  }
  return [...found].sort();
}

// A plain, single-quoted or double-quoted scalar after the key, in block or flow style; commented lines don't match.
const SCALAR = String.raw`(?:"([^"\n]+)"?|'([^'\n]+)'?|([^\s"',{}[\]#][^\s"',{}[\]#]*))`;
const NETWORK_REF = new RegExp(
  String.raw`(?:^|[{,])[ \t]*["']?gridNetworkRef["']?[ \t]*:[ \t]*${SCALAR}`,
  'gm',
);
const KIND_NETWORK = /(?:^|[{,])[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?GridNetwork["']?[ \t]*(?:$|[,}#\r])/m;
const METADATA = /(?:^|[{,])[ \t]*["']?metadata["']?[ \t]*:/m;
const NAME = new RegExp(String.raw`(?:^|[{,])[ \t]*["']?name["']?[ \t]*:[ \t]*${SCALAR}`, 'm');

/** The first name after the first `metadata:`. Two searches: one pattern for both would begin anew at each `metadata:`. */
function metadataNameIn(text: string): string | undefined {
  const metadata = METADATA.exec(text);
  if (metadata === null) return undefined;
  // From the colon on, so that `^` doesn't take the rest of the line for the beginning of one.
  const name = NAME.exec(text.slice(metadata.index + metadata[0].length - 1));
  return name === null ? undefined : unquoted(name);
}

function networkRefsIn(text: string): string[] {
  return [...text.matchAll(NETWORK_REF)].map(unquoted).filter((name) => name !== '');
}

function unquoted(match: RegExpExecArray): string {
  return (match[1] ?? match[2] ?? match[3] ?? '').trim();
}

function nonBlank(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}
