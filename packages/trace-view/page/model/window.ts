/** Which rows of a long list are really there. */
export interface RowWindow {
  /** Index of the first row. */
  readonly first: number;
  /** Index after the last row. */
  readonly end: number;
  /** Heights that stand for the rows before and after, in pixels. */
  readonly before: number;
  readonly after: number;
}

/** Rows kept beyond both edges, so that a quick turn of the wheel finds them. */
const MARGIN_ROWS = 8;

/** The rows that a scrolled viewport shows, all of one height, whatever their number. */
export function rowWindow(
  rows: number,
  { scrollTop, height, rowHeight }: { scrollTop: number; height: number; rowHeight: number },
): RowWindow {
  const first = Math.max(0, Math.min(rows, Math.floor(scrollTop / rowHeight)) - MARGIN_ROWS);
  const end = Math.min(rows, Math.ceil((scrollTop + height) / rowHeight) + MARGIN_ROWS);
  return {
    first,
    end: Math.max(first, end),
    before: first * rowHeight,
    after: (rows - Math.max(first, end)) * rowHeight,
  };
}
