import type { Attributes, SpanSource } from '../../model/span.ts';
import { Budget } from '../decode/budget.ts';
import { type DecodedExport, ExportCollector, spanSource } from '../decode/span-draft.ts';
import type { OpenAttributes } from '../decode/values.ts';
import { readAttribute } from './decode-attributes.ts';
import { readSpan } from './decode-span.ts';
import { WireReader } from './wire-reader.ts';

// Tags are `field number << 3 | wire type` of opentelemetry/proto/{collector/trace,trace,resource,common}/v1.

/**
 * Reads an `ExportTraceServiceRequest` in protobuf. Unknown fields are ignored.
 *
 * @param maxValues most spans, attributes, events, links and elements together.
 * @throws {@link OtlpError} `malformed` or `too_large`.
 */
export function decodeProtobuf(body: Buffer, maxValues: number): DecodedExport {
  const reader = new WireReader(body, new Budget(maxValues));
  const collector = new ExportCollector();
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) readResourceSpans(reader, collector);
    else reader.skip(tag);
  }
  return collector;
}

// The resource may stand behind the spans that it is about, so it is looked for first. The same with the scope.
function readResourceSpans(reader: WireReader, collector: ExportCollector): void {
  reader.budget.spend();
  const outer = reader.enter();
  const start = reader.position;
  const resource: OpenAttributes = {};
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) readResource(reader, resource);
    else reader.skip(tag);
  }
  reader.rewind(start);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 18) readScopeSpans(reader, resource, collector);
    else reader.skip(tag);
  }
  reader.leave(outer);
}

function readResource(reader: WireReader, into: OpenAttributes): void {
  const outer = reader.enter();
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) readAttribute(reader, into);
    else reader.skip(tag);
  }
  reader.leave(outer);
}

function readScopeSpans(reader: WireReader, resource: Attributes, collector: ExportCollector): void {
  reader.budget.spend();
  const outer = reader.enter();
  const start = reader.position;
  let scope: SpanSource['scope'] = { name: '', version: '' };
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) scope = readScope(reader);
    else reader.skip(tag);
  }
  const source = spanSource(resource, scope);
  reader.rewind(start);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 18) collector.add(readSpan(reader), source);
    else reader.skip(tag);
  }
  reader.leave(outer);
}

function readScope(reader: WireReader): SpanSource['scope'] {
  const outer = reader.enter();
  let name = '';
  let version = '';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) name = reader.text();
    else if (tag === 18) version = reader.text();
    else reader.skip(tag);
  }
  reader.leave(outer);
  return { name, version };
}
