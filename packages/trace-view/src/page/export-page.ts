import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TraceDetail } from '../contract/traces.ts';
import { decodeJson } from '../otlp/json/decode-json.ts';
import { TraceStore } from '../store/trace-store.ts';
import { pageDirectory } from './page-files.ts';
import type { ExportedPage, PageDocuments } from './state.ts';

/** What an exported page is made of. */
export interface PageExport {
  readonly documents: Partial<PageDocuments>;
  /** OTLP/JSON trace exports, in the order received. Spans of other traces than the requests' are left out. */
  readonly exports: readonly string[];
}

/** Most requests whose spans are embedded: about 3 MB of page. The table still has every request. */
const MAX_TRACES = 500;
/** Bounds one export no further than the receiver that took it did. */
const MAX_VALUES = 2 ** 30;

/**
 * The page as one file that needs no server and no network: data, script and style are inside, and its own policy lets
 * the browser run nothing else. The same bytes for the same input.
 *
 * @throws Error when the page is not built.
 */
export function exportPage({ documents, exports }: PageExport): string {
  const file = (name: string): string => readFileSync(join(pageDirectory(), name), 'utf8');
  const traces = tracesOf(documents, exports);
  return assemble(file('index.html'), {
    style: file('page.css').replaceAll('</style', '<\\/style'),
    script: file('page.js').replaceAll('</script', '<\\/script'),
    data: { documents, traces },
  });
}

/** The trace of each request, in the order of the requests. */
function tracesOf({ requests = [] }: Partial<PageDocuments>, exports: readonly string[]): TraceDetail[] {
  const wanted = new Set(requests.slice(0, MAX_TRACES).map(({ traceId }) => traceId));
  // When the spans arrived is no fact of the run: the clock stands still.
  const store = new TraceStore(
    { maxTraces: MAX_TRACES, maxSpans: 2 ** 30, maxBytes: 2 ** 30 },
    { now: () => 0 },
  );
  for (const text of exports) {
    const { spans } = decodeJson(Buffer.from(text), MAX_VALUES);
    store.add(spans.filter(({ traceId }) => wanted.has(traceId)));
  }
  return [...wanted].map((traceId) => store.trace(traceId)).filter((trace) => trace !== undefined);
}

interface Parts {
  readonly style: string;
  readonly script: string;
  readonly data: ExportedPage;
}

function assemble(html: string, { style, script, data }: Parts): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashSource(script)}`,
    `style-src ${hashSource(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return put(html, {
    '<title>': `<meta http-equiv="Content-Security-Policy" content="${policy}">\n    <title>`,
    '<link rel="stylesheet" href="page.css">': `<style>${style}</style>`,
    '<script src="page.js"></script>': `<script type="application/json" id="page-data">${inertJson(data)}</script>\n    <script>${script}</script>`,
  });
}

/** Puts each text in the place of the one it is named by. A function, because `$` means something in a replacement. */
function put(html: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((text, [place, content]) => {
    if (!text.includes(place)) throw new Error(`page/index.html has no ${place}: it can't be exported`);
    return text.replace(place, () => content);
  }, html);
}

/** JSON that can't end the element it stands in, whatever a span says. */
function inertJson(data: ExportedPage): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

function hashSource(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}
