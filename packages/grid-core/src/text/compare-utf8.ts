/**
 * Compares two texts as their UTF-8 bytes would compare: negative, zero or positive.
 *
 * Never a locale collation, which depends on the machine, and not the plain `<` of JavaScript either: that compares
 * UTF-16 code units and puts U+1F600 before U+FF61, while every byte-wise producer puts it after.
 */
export function compareUtf8(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return byteRank(a) - byteRank(b);
  }
  return left.length - right.length;
}

/** Moves surrogates (code points from U+10000 on) behind U+E000 to U+FFFF, where their bytes sort. */
function byteRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x0800 : unit + 0x2000;
}
