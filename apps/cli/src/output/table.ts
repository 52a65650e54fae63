import { largest } from './largest.ts';

/** How a table is drawn. */
export interface TableOptions {
  /** Columns available; infinite = never wrap. */
  readonly width: number;
  /** Spaces before each line. Default 2. */
  readonly indent?: number;
  /** Colours a cell after it was padded. Default: none. */
  readonly paint?: (text: string, cell: { readonly row: number; readonly column: number }) => string;
}

/** Between columns. */
const GAP = 2;
/** A last column narrower than this would be unreadable: it moves below its row. */
const LAST_COLUMN_MIN = 20;

/** Rows in aligned columns. The last column takes what is left of the width, or its own lines when that is too little. */
export function table(
  rows: readonly (readonly string[])[],
  { width, indent = 2, paint = (text) => text }: TableOptions,
): string[] {
  const columns = largest(rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    largest(rows.map((row) => textWidth(row[column] ?? ''))),
  );
  const fixed = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP, indent);
  const below = fixed + Math.min(LAST_COLUMN_MIN, widths.at(-1) ?? 0) > width;
  return rows.flatMap((cells, row) => {
    const painted = cells
      .slice(0, -1)
      .map((text, column) => paint(pad(text, widths[column] ?? 0), { row, column }));
    const last = cells.length - 1;
    const hanging = below ? indent + 2 * GAP : fixed;
    const wrapped = wrap(cells[last] ?? '', width - hanging).map((text) =>
      paint(text, { row, column: last }),
    );
    const start = ' '.repeat(indent) + painted.map((text) => text + ' '.repeat(GAP)).join('');
    const rest = (from: number): string[] => wrapped.slice(from).map((text) => ' '.repeat(hanging) + text);
    return (below ? [start, ...rest(0)] : [start + (wrapped[0] ?? ''), ...rest(1)]).map((text) =>
      text.trimEnd(),
    );
  });
}

/** Breaks a text at spaces into lines of at most `width`; a longer word stands alone on its line. */
export function wrap(text: string, width: number): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const lines: string[] = [];
  let words: string[] = [];
  // Counted along: measuring the line anew for each word would cost the square of its length.
  let lineWidth = 0;
  for (const word of text.split(' ')) {
    const wordWidth = textWidth(word);
    if (lineWidth > 0 && lineWidth + 1 + wordWidth > width) {
      lines.push(words.join(' '));
      words = [];
      lineWidth = 0;
    }
    // An empty word at the beginning of a line is a space that was to be there anyway.
    if (lineWidth === 0) words = [];
    words.push(word);
    lineWidth += wordWidth + (words.length > 1 ? 1 : 0);
  }
  return [...lines, words.join(' ')];
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** In characters; wide scripts take more columns, which only costs alignment. */
function textWidth(text: string): number {
  return [...text].length;
}
