// Hot path for hostile bodies: millions of escaped keys are compared without making a string of each.
import { decodeString } from './json-string.ts';

const BACKSLASH = 0x5c;
const SMALL_U = 0x75;

/** What an escape of one letter stands for; the letter itself for quotes, backslash and slash. */
const ESCAPES: ReadonlyMap<number, number> = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);

/**
 * How the inside of a key's quotes spells a wanted key: exactly, with other letters of the same alphabet in the other
 * case, or not at all. Escapes must have been checked.
 *
 * @internal
 */
export function spelling(raw: Buffer, key: string): 'exact' | 'other_case' | 'different' {
  let exact = true;
  let matched = 0;
  for (let at = 0; at < raw.length; matched++) {
    const wanted = key.charCodeAt(matched);
    // Not even one for one: a unit of the key takes one to six bytes.
    if (Number.isNaN(wanted)) return 'different';
    if (wanted > 0x7f) return decoded(raw) === key ? 'exact' : 'different';
    const byte = raw[at] ?? 0;
    let unit = byte;
    if (byte !== BACKSLASH) at++;
    else if (raw[at + 1] === SMALL_U) {
      unit = Number.parseInt(raw.toString('latin1', at + 2, at + 6), 16);
      at += 6;
    } else {
      const letter = raw[at + 1] ?? 0;
      unit = ESCAPES.get(letter) ?? letter;
      at += 2;
    }
    if (unit === wanted) continue;
    if (!differInCase(unit, wanted)) return 'different';
    exact = false;
  }
  if (matched !== key.length) return 'different';
  return exact ? 'exact' : 'other_case';
}

function differInCase(unit: number, other: number): boolean {
  const lower = unit | 0x20;
  return lower === (other | 0x20) && lower >= 0x61 && lower <= 0x7a;
}

function decoded(raw: Buffer): string {
  return decodeString(Buffer.from(`"${raw.toString('utf8')}"`), 0);
}
