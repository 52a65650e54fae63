/**
 * The same text in memory of its own. The engine keeps a text that was cut out of a longer one as a reference to all of
 * that: whoever keeps the part for long, keeps the whole.
 */
export function ownText(text: string): string {
  // Joined texts are references too, until something is cut out of them: then they are written down, once.
  return ` ${text}`.slice(1);
}
