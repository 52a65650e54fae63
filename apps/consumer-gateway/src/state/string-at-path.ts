/**
 * The string at a path of keys in the first bytes of a JSON object; undefined when it is not there, not a string, or
 * not yet complete. Nothing is read that stands at another path, so that a text inside the object cannot pass for it.
 */
export function stringAtPath(text: string, path: readonly string[]): string | undefined {
  /** One entry per open bracket: whether it is an object on the path. */
  const open: boolean[] = [];
  let onPath = true;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{' || char === '[') {
      open.push(onPath && char === '{');
      onPath = false;
    } else if (char === '}' || char === ']') {
      open.pop();
      if (open.length === 0) return undefined;
    } else if (char === '"') {
      const end = endOfString(text, at);
      if (end === undefined) return undefined;
      const colon = /^\s*:\s*/.exec(text.slice(end, end + 16));
      const wanted =
        colon !== null && open.at(-1) === true && text.slice(at + 1, end - 1) === path[open.length - 1];
      at = end - 1;
      if (wanted) {
        at += colon[0].length;
        if (open.length === path.length) return stringFrom(text, at + 1);
        onPath = true;
        continue;
      }
    }
    if (char !== '{' && char !== ' ' && char !== '\n' && char !== '\r' && char !== '\t') onPath = false;
  }
  return undefined;
}

/** Where the string that opens at `start` is over, behind its closing quote. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}

function stringFrom(text: string, start: number): string | undefined {
  const end = text[start] === '"' ? endOfString(text, start) : undefined;
  if (end === undefined) return undefined;
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    return undefined;
  }
}
