// The Markdown that goes into benchmarks/README.md.
import { table } from '../../figures.mjs';

const digits = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
const range = ({ min, max }, show = digits) => `${show(min)}-${show(max)}`;

/** Rows of contestants that failed say why instead of figures. */
function rows(list, columns, cells) {
  return list.map((row) =>
    row.failure === undefined
      ? [row.name, ...cells(row)]
      : [
          row.name,
          String(row.failure).replaceAll('|', '/').replaceAll('\n', ' '),
          ...Array(columns - 2).fill(''),
        ],
  );
}

export function ratioTable(list, { streamed }) {
  const head = ['', 'CPU us per request', 'ratio to nginx', 'min-max', 'requests/s'];
  if (streamed) head.push('first byte p50, us');
  return table(
    head,
    rows(list, head.length, ({ us, ratio, perSecond, firstByteUs }) => [
      digits(us.median),
      ratio === undefined ? '-' : ratio.median.toFixed(2),
      ratio === undefined ? '-' : range(ratio, (value) => value.toFixed(2)),
      perSecond.median.toFixed(0),
      ...(streamed ? [firstByteUs.median.toFixed(0)] : []),
    ]),
  );
}

export function tracingTable(list) {
  const head = ['', 'CPU us per request', 'ratio to tracing off', 'min-max', 'traces that arrived'];
  return table(
    head,
    rows(list, head.length, ({ us, ratio, tracesPerRequest }) => [
      digits(us.median),
      ratio.median.toFixed(3),
      range(ratio, (value) => value.toFixed(3)),
      tracesPerRequest === undefined ? '-' : `${(tracesPerRequest.median * 100).toFixed(1)} %`,
    ]),
  );
}

export function latencyTable(list, rate) {
  const head = [
    '',
    `${rate}/s: p50, us`,
    'p99',
    'added at p50',
    'half of its capacity, 1/s',
    'p50, us',
    'p99',
    'added at p50',
  ];
  const cells = ({ p50, p99, addedP50 }) => [p50, p99, addedP50].map(({ median }) => median.toFixed(0));
  return table(
    head,
    rows(list, head.length, ({ fixed, half }) => [
      ...cells(fixed),
      half.ratePerSecond.toFixed(0),
      ...cells(half),
    ]),
  );
}

export function streamsTable(list) {
  const kb = ({ median }) => (median / 1024).toFixed(1);
  const head = ['', 'memory before, MB', 'KB per stream', 'min-max', 'CPU us per event', 'min-max'];
  return table(
    head,
    rows(list, head.length, ({ baseBytes, bytesPerStream, usPerEvent }) => [
      (baseBytes.median / 2 ** 20).toFixed(1),
      kb(bytesPerStream),
      range(bytesPerStream, (value) => (value / 1024).toFixed(1)),
      digits(usPerEvent.median),
      range(usPerEvent),
    ]),
  );
}

export function allocationTable(list) {
  const kb = (value) => (value / 1024).toFixed(1);
  const head = ['', 'KB per request', 'min-max'];
  return table(
    head,
    rows(list, head.length, ({ bytes }) => [kb(bytes.median), range(bytes, kb)]),
  );
}

export function profileTable({ failure, files, functions, withCallees }) {
  if (failure !== undefined) return failure;
  const lines = (what, list) =>
    table(
      [what, 'share'],
      list.map(({ name, share }) => [`\`${name}\``, `${(share * 100).toFixed(1)} %`]),
    );
  return [
    lines('file', files),
    lines('function, itself', functions),
    lines('function of ours, with what it calls', withCallees),
  ].join('\n\n');
}
