// Writes docs/reference/telemetry.md from what the built apps tell of themselves (--print-telemetry).
// With --check it writes nothing, and ends with 1 when the file is not what it would write.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const APPS = ['consumer-gateway', 'provider-gateway', 'vcr-backend', 'grid-controller', 'overlay-sync'];
const root = new URL('../', import.meta.url);
const file = new URL('docs/reference/telemetry.md', root);

/** @param {string} app */
function describe(app) {
  const main = fileURLToPath(new URL(`apps/${app}/dist/main.js`, root));
  return JSON.parse(execFileSync(process.execPath, [main, '--print-telemetry'], { encoding: 'utf8' }));
}

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, at) => Math.max(...cells.map((row) => row[at].length)));
  const line = (row, fill = ' ') => `| ${row.map((cell, at) => cell.padEnd(widths[at], fill)).join(' | ')} |`;
  const [first, ...rest] = cells;
  return [
    line(first),
    line(
      head.map(() => ''),
      '-',
    ),
    ...rest.map((row) => line(row)),
  ].join('\n');
}

const code = (text) => `\`${text}\``;
/** A few values are shown; a long closed list is counted, and its values stand in `--print-telemetry`. */
const valuesOf = ({ values, bound }) => {
  if (values === undefined) return bound;
  const shown = values.map((value) => (value === '' ? 'empty' : code(value)));
  return shown.length > 24
    ? `${shown.length} values: ${shown.slice(0, 6).join(', ')}, ...`
    : shown.join(', ');
};

function spanSection({ name, kind, help, attributes }) {
  const rows = Object.entries(attributes).map(([key, about]) => [
    code(key),
    about.type,
    about.help,
    valuesOf(about),
  ]);
  return `#### ${name} (${kind})\n\n${help}\n\n${table(['attribute', 'type', 'meaning', 'values, or what bounds them'], rows)}\n`;
}

function labelsOf({ labels }) {
  const names = Object.keys(labels);
  return names.length === 0 ? '-' : names.map(code).join(', ');
}

function metricsTable(metrics) {
  const rows = metrics.map((metric) => [
    code(metric.name),
    metric.type,
    metric.unit,
    labelsOf(metric),
    String(metric.maxSeries),
    metric.help,
  ]);
  return table(['metric', 'type', 'unit', 'labels', 'series at most', 'meaning'], rows);
}

function labelsTable(metrics) {
  const rows = metrics.flatMap(({ name, labels }) =>
    Object.entries(labels).map(([label, about]) => [code(name), code(label), about.help, valuesOf(about)]),
  );
  return rows.length === 0
    ? ''
    : `\n${table(['metric', 'label', 'meaning', 'values, or what bounds them'], rows)}\n`;
}

function bucketsText(metrics) {
  const byBuckets = new Map();
  for (const { name, buckets } of metrics) {
    if (buckets === undefined) continue;
    const key = buckets.join(', ');
    byBuckets.set(key, [...(byBuckets.get(key) ?? []), code(name)]);
  }
  return [...byBuckets].map(([bounds, names]) => `\nBuckets of ${names.join(', ')}: ${bounds}.\n`).join('');
}

function appSection({ app, spans, metrics }) {
  const own = metrics.filter(({ runtime }) => !runtime);
  const spanText =
    spans.length === 0 ? 'None: it takes no part in requests.\n' : spans.map(spanSection).join('\n');
  return `## ${app}\n\n### Spans of ${app}\n\n${spanText}\n### Metrics of ${app}\n\n${metricsTable(own)}\n${labelsTable(own)}${bucketsText(own)}`;
}

function document(descriptions) {
  const [first] = descriptions;
  const common = first.metrics.filter(({ runtime }) => runtime);
  const variables = first.environment.map(({ name, does }) => [code(name), does]);
  return `# Telemetry reference

Every span, attribute, metric and label that the apps make. Written by \`node tools/telemetry-reference.mjs\` from the
declarations the code registers with; a test compares it, and compares running apps with it. Don't edit it by hand.
\`node apps/APP/dist/main.js --print-telemetry\` prints the same as JSON.

Nothing here ever holds a prompt, a body, a credential, a cookie or a session key. A label's value comes from the
configuration, the overlay or a closed list, never from a client: 10,000 invented models, sessions and paths leave the number
of series as it was.

## Reading it

- Metrics: \`/metrics\` of the admin port, Prometheus text, or OpenMetrics when the scraper accepts it. Exemplars (OpenMetrics
  only) name sampled traces. Series whose labels are all known beforehand begin at zero.
- Traces: OTLP over HTTP, off until the environment names an exporter or an endpoint. While they are off, the client's
  \`traceparent\`, \`tracestate\` and \`baggage\` pass unchanged.
- Five spans make a request through both gateways: SERVER, \`routing.select\` and CLIENT of the consumer gateway, SERVER and
  CLIENT of the provider gateway. Each ends with the last byte.
- \`gen_ai.*\` stands on one hop: the CLIENT span that calls the model. That is the provider gateway's, or the consumer
  gateway's for a cluster without \`providerHop\`.
- Sampling is decided at the head: \`OTEL_TRACES_SAMPLER\`. A caller's "not sampled" is respected by the default; a request
  that is not sampled builds no span and no attribute, and hands on the trace id.

## Environment

Empty is unset. Everything the OpenTelemetry specification names and this table doesn't is left to the SDK.

${table(['variable', 'what it does here'], variables)}

${descriptions.map(appSection).join('\n')}
## Every app

${metricsTable(common)}
${labelsTable(common)}${bucketsText(common)}`;
}

const wanted = document(APPS.map(describe));
if (process.argv.includes('--check')) {
  const found = readFileSync(file, 'utf8');
  if (found !== wanted) {
    const lines = wanted.split('\n');
    const at = found.split('\n').findIndex((line, index) => line !== lines[index]);
    console.error(
      `docs/reference/telemetry.md is stale from line ${at + 1}: run node tools/telemetry-reference.mjs`,
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, wanted);
  console.log(`docs/reference/telemetry.md: ${wanted.split('\n').length} lines`);
}
