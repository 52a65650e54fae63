import { ISSUES_MAX } from '../../limits.ts';

/** A member name that occurs twice in one object. */
export interface DuplicateKey {
  /** Keys and indexes down to the repeated member. */
  readonly path: readonly PropertyKey[];
  /** Position of the repetition, in UTF-16 code units from the start. */
  readonly offset: number;
}

interface Frame {
  /** Names seen so far; absent in an array. */
  readonly names: Set<string> | undefined;
  segment: PropertyKey;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/**
 * Names every repeated member of a text that JSON.parse accepts. Slow and simple: it runs only after the counts have
 * shown that there is one. Names are compared unescaped, so `"\u0061"` repeats `"a"`.
 */
export function findDuplicateKeys(text: string): DuplicateKey[] {
  const found: DuplicateKey[] = [];
  const stack: Frame[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    const frame = stack.at(-1);
    if (token === '{') stack.push({ names: new Set(), segment: '' });
    else if (token === '[') stack.push({ names: undefined, segment: 0 });
    else if (token === '}' || token === ']') stack.pop();
    else if (token === ',') {
      if (typeof frame?.segment === 'number') frame.segment++;
    } else if (frame?.names !== undefined && isMemberName(text, match.index + token.length)) {
      const name = String(JSON.parse(token));
      frame.segment = name;
      if (frame.names.has(name)) found.push({ path: stack.map((each) => each.segment), offset: match.index });
      frame.names.add(name);
      if (found.length === ISSUES_MAX) break;
    }
  }
  return found;
}

/** In valid JSON a string is a member name exactly when a colon follows it. */
function isMemberName(text: string, end: number): boolean {
  let index = end;
  while (text.charCodeAt(index) <= 0x20) index++;
  return text[index] === ':';
}
