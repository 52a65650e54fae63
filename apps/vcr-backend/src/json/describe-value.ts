/** Characters of a text that are shown in a message. */
const SHOWN_CHARS = 60;
/** Characters shown ahead of the place where two texts part. */
const LEAD_CHARS = 16;
const SHOWN_KEYS = 5;

/** A value in a few words, whatever its size: `"text"`, `3`, `array of 4`, `object with model, stream`. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return describeString(value, 0);
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (typeof value !== 'object' || value === null) return String(value);
  const keys = Object.keys(value);
  if (keys.length === 0) return 'empty object';
  const shown = keys.slice(0, SHOWN_KEYS).map((key) => key.slice(0, SHOWN_CHARS));
  return `object with ${shown.join(', ')}${keys.length > SHOWN_KEYS ? ', ...' : ''}`;
}

/**
 * A text, shortened around one of its characters: `"...rds the end"...`.
 *
 * @param around - index of the character that must stay visible
 */
export function describeString(text: string, around: number): string {
  const start = around < SHOWN_CHARS - LEAD_CHARS ? 0 : around - LEAD_CHARS;
  const shown = text.slice(start, start + SHOWN_CHARS);
  const head = start > 0 ? `(from character ${start}) ` : '';
  const tail = start + SHOWN_CHARS < text.length ? '...' : '';
  return `${head}${JSON.stringify(shown)}${tail}`;
}
