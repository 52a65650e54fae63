/** One `name=value` of a header; the name in lower case, the value as between its quotes, escapes not resolved. */
interface HeaderParameter {
  readonly name: string;
  readonly value: string;
}

/** A header of the form `value; name=value; name="value"`. */
export interface ParameterisedHeader {
  /** What stands before the first semicolon, trimmed. */
  readonly value: string;
  readonly parameters: readonly HeaderParameter[];
}

/** Whitespace, semicolon, name, then a quoted string (escapes allowed) or a run without separators (sticky). */
const PARAMETER = /[ \t]*;[ \t]*([^\s;="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/y;
/** The semicolon stands between the runs of whitespace: two runs side by side would be tried in every division. */
const REST = /[ \t]*(?:;[ \t]*)?$/y;

/**
 * Parses a header like `content-type` or `content-disposition` (RFC 9110 §5.6.6, RFC 2183). Nothing is guessed:
 * undefined when any part of it is not of that form, so that no other reader can see a parameter that is not seen here.
 *
 * @internal
 */
export function parseParameters(header: string): ParameterisedHeader | undefined {
  const semicolon = header.indexOf(';');
  const end = semicolon < 0 ? header.length : semicolon;
  const value = header.slice(0, end).trim();
  const parameters: HeaderParameter[] = [];
  let at = end;
  for (;;) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(header);
    if (match === null) break;
    parameters.push({ name: (match[1] ?? '').toLowerCase(), value: match[2] ?? match[3] ?? '' });
    at = PARAMETER.lastIndex;
  }
  REST.lastIndex = at;
  return REST.test(header) ? { value, parameters } : undefined;
}
