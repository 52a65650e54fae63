import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSpans, type SpanRecord } from '@switchyard/demo-kit';
import { appEntry, runNodeToExit, tempDir } from '@switchyard/test-kit';
import { expect, it } from 'vitest';

const GOLDEN = fileURLToPath(new URL('golden/span-tree.json', import.meta.url));

/** A span without what differs from run to run, and the spans below it. */
interface Tree {
  readonly service: string;
  readonly instance: string | null;
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly children: readonly Tree[];
}

/** Ports and revisions are of one run; everything else is the same in every run. */
function steady(key: string, value: unknown): unknown {
  if (key === 'server.port') return '<port>';
  if (key.startsWith('overlay.revision.')) return '<revision>';
  return typeof value === 'string' ? value.replace(/^(http:\/\/127\.0\.0\.1):\d+/, '$1:<port>') : value;
}

function treeOf(span: SpanRecord, all: readonly SpanRecord[]): Tree {
  const attributes = Object.entries(span.attributes).map(
    ([key, value]) => [key, steady(key, value)] as const,
  );
  return {
    service: span.service,
    instance: span.instance,
    name: span.name,
    kind: span.kind,
    attributes: Object.fromEntries(attributes.sort(([a], [b]) => (a < b ? -1 : 1))),
    children: all
      .filter(({ parentSpanId }) => parentSpanId === span.spanId)
      .map((child) => treeOf(child, all))
      // The selection comes before the attempt.
      .sort((a, b) => (a.kind < b.kind ? 1 : -1)),
  };
}

async function linesOf(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
}

it('the spans of the first request are the golden tree, although the shell asked for none', {
  timeout: 90_000,
}, async () => {
  await using dir = await tempDir();
  const { code, stderr } = await runNodeToExit(
    [appEntry('demos/provider-traffic'), '--requests', '3', '--out', join(dir.path, 'out')],
    { timeoutMs: 80_000, env: { OTEL_TRACES_SAMPLER: 'always_off' } },
  );
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      'Note: OTEL_TRACES_SAMPLER=always_off would hide spans from the evidence; every request is sampled here all the same',
  });
  const [request] = await linesOf(join(dir.path, 'out/requests.ndjson'));
  const { traceId } = JSON.parse(request ?? '') as { traceId: string };
  const spans = readSpans(await linesOf(join(dir.path, 'out/spans.otlp.jsonl'))).filter(
    (span) => span.traceId === traceId,
  );
  const roots = spans.filter((span) => span.parentSpanId === null);
  // The client's root, five of the gateways, the backend's.
  expect({ spans: spans.length, roots: roots.length }).toEqual({ spans: 7, roots: 1 });
  const [root] = roots.map((span) => treeOf(span, spans));
  expect(root).toEqual(JSON.parse(await readFile(GOLDEN, 'utf8')));
});
