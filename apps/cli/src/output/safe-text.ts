/** Control and format characters: they could move the cursor, recolour or reorder what a terminal shows. */
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text from a document or file name as it may reach a terminal: what is invisible is spelt out. */
export function safeText(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16).padStart(4, '0')}}`;
  });
}
