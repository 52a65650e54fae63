/** Every value of one header in a flat list of names and values, in order. `name` is in lower case. */
export function headerValues(raw: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const candidate = raw[at];
    if (candidate?.length === name.length && candidate.toLowerCase() === name) values.push(raw[at + 1] ?? '');
  }
  return values;
}

/** Text as a header value: itself when it is visible ASCII, else percent-encoded. */
export function headerSafe(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text);
}
