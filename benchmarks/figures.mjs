// Small statistics and Markdown.

/** The value below which `share` of the sorted values lie. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(values) {
  return quantile(values, 0.5);
}

/** Milliseconds with three significant digits. */
export function ms(value) {
  return value.toPrecision(3);
}

export function shuffled(items) {
  return items
    .map((item) => [Math.random(), item])
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
