import { largest } from './largest.ts';
import { table } from './table.ts';

/** One bar of a split. */
export interface Bar {
  readonly label: string;
  /** Shown after the label; empty shows nothing. */
  readonly detail: string;
  readonly count: number;
  /** 0 to 1. */
  readonly share: number;
}

/** Widest bar, in characters. */
const BAR_MAX = 40;
const BAR_MIN = 8;
/** Columns for gaps, count and share beside label, detail and bar. */
const BESIDE = 26;

/** A split, one bar a line, as wide as the terminal allows. */
export function bars(split: readonly Bar[], width: number): string[] {
  const labels = largest(split.map(({ label, detail }) => label.length + detail.length));
  const room = Math.max(BAR_MIN, Math.min(BAR_MAX, width - labels - BESIDE));
  const counts = largest(split.map(({ count }) => String(count).length));
  const withDetail = split.some(({ detail }) => detail !== '');
  return table(
    split.map(({ label, detail, count, share }) => [
      label,
      ...(withDetail ? [detail] : []),
      '█'.repeat(Math.round(share * room)).padEnd(room, '░'),
      `${String(count).padStart(counts)}  ${(share * 100).toFixed(1).padStart(5)} %`,
    ]),
    { width: Number.POSITIVE_INFINITY },
  );
}
