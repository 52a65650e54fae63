import { ISSUES_MAX } from '../../limits.ts';

/** A member name that occurs again in its object. */
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

/**
 * Names every repeated member (at most 1000) of a text that JSON.parse accepts. Slow and simple: it runs only after
 * the counts have shown that there is one. Names are compared unescaped, so `"\u0061"` repeats `"a"`.
 */
export function findDuplicateKeys(text: string): DuplicateKey[] {
  const found: DuplicateKey[] = [];
  const stack: Frame[] = [];
  for (let index = 0; index < text.length && found.length < ISSUES_MAX; index++) {
    const frame = stack.at(-1);
    switch (text.charAt(index)) {
      case '{':
        stack.push({ names: new Set(), segment: '' });
        break;
      case '[':
        stack.push({ names: undefined, segment: 0 });
        break;
      case '}':
      case ']':
        stack.pop();
        break;
      case ',':
        if (typeof frame?.segment === 'number') frame.segment++;
        break;
      case '"': {
        const end = stringEnd(text, index);
        if (frame?.names !== undefined && isMemberName(text, end)) {
          const name = String(JSON.parse(text.slice(index, end)));
          frame.segment = name;
          if (frame.names.has(name)) found.push({ path: stack.map((each) => each.segment), offset: index });
          frame.names.add(name);
        }
        index = end - 1;
        break;
      }
      default:
    }
  }
  return found;
}

/** Position after the closing quote. A pattern would need a stack as long as the string. */
function stringEnd(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index + 1;
}

/** In valid JSON a string is a member name exactly when a colon follows it. */
function isMemberName(text: string, end: number): boolean {
  let index = end;
  while (text.charCodeAt(index) <= 0x20) index++;
  return text[index] === ':';
}
