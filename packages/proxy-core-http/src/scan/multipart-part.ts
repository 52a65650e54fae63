import { parseParameters } from './header-parameters.ts';

/** What the headers of one part say about it. */
interface PartHead {
  readonly name: string;
  /** It has a file name, so it is no field, whatever its name. */
  readonly isFile: boolean;
  /** Lower-case `content-transfer-encoding`; `binary` when there is none. */
  readonly transferEncoding: string;
}

/** A part's headers, or what was expected of them. */
export type ParsedPartHead =
  | { readonly ok: true; readonly head: PartHead }
  | { readonly ok: false; readonly expected: string };

/** A field name and its value, both without whitespace that readers could see differently; no folded lines. */
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*([^\0\r\n]*)$/;

/**
 * Reads the headers of one part of a form (RFC 7578 §4.2). Whatever readers are known to take differently is refused:
 * folded lines, a repeated header or parameter, `name*`, a disposition other than form-data.
 *
 * @param block the header lines, without the empty one after them
 * @internal
 */
export function parsePartHead(block: string): ParsedPartHead {
  let disposition: string | undefined;
  let transferEncoding: string | undefined;
  for (const line of block.split('\r\n')) {
    const match = HEADER_LINE.exec(line);
    if (match === null) return refuse('header lines of the form "name: value"');
    const name = (match[1] ?? '').toLowerCase();
    const value = match[2] ?? '';
    if (name === 'content-disposition') {
      if (disposition !== undefined) return refuse('one content-disposition in a part');
      disposition = value;
    } else if (name === 'content-transfer-encoding') {
      if (transferEncoding !== undefined) return refuse('one content-transfer-encoding in a part');
      transferEncoding = value.trim().toLowerCase();
    }
  }
  return disposition === undefined
    ? refuse('a content-disposition in every part')
    : readDisposition(disposition, transferEncoding ?? 'binary');
}

function readDisposition(text: string, transferEncoding: string): ParsedPartHead {
  const parsed = parseParameters(text);
  if (parsed === undefined || parsed.value.toLowerCase() !== 'form-data')
    return refuse('the content-disposition form-data with well-formed parameters');
  let name: string | undefined;
  let isFile = false;
  for (const parameter of parsed.parameters) {
    if (parameter.name === 'filename' || parameter.name === 'filename*') isFile = true;
    else if (parameter.name.startsWith('name*')) return refuse('a plain name parameter, not name*');
    else if (parameter.name === 'name') {
      if (name !== undefined) return refuse('one name in a part');
      name = unescapeName(parameter.value);
      if (name === undefined) return refuse('a name in which only \\" and \\\\ are escaped');
    }
  }
  return name === undefined
    ? refuse('a name in every part')
    : { ok: true, head: { name, isFile, transferEncoding } };
}

const ESCAPE = /\\(.)|%22|%0[Aa]|%0[Dd]/gu;

/**
 * Both ways in which clients write a name with a quote: `\"` (RFC 2183) and `%22` (HTML). Undefined for a backslash
 * before anything else, which some readers drop and some keep.
 */
function unescapeName(raw: string): string | undefined {
  let ambiguous = false;
  const name = raw.replace(ESCAPE, (spelled, escaped: string | undefined) => {
    if (escaped === undefined) return String.fromCharCode(Number.parseInt(spelled.slice(1), 16));
    if (escaped !== '"' && escaped !== '\\') ambiguous = true;
    return escaped;
  });
  return ambiguous ? undefined : name;
}

function refuse(expected: string): ParsedPartHead {
  return { ok: false, expected };
}
