import type { SpanEvent, SpanLink } from '../../model/span.ts';
import { SpanDraft } from '../decode/span-draft.ts';
import type { OpenAttributes } from '../decode/values.ts';
import { readAttribute } from './decode-attributes.ts';
import type { WireReader } from './wire-reader.ts';

// Tags are `field number << 3 | wire type` of opentelemetry/proto/trace/v1/trace.proto.

/** Reads a `Span`. */
export function readSpan(reader: WireReader): SpanDraft {
  reader.budget.spend();
  const outer = reader.enter();
  const draft = new SpanDraft();
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) readSpanField(reader, draft, tag);
  reader.leave(outer);
  return draft;
}

function readSpanField(reader: WireReader, draft: SpanDraft, tag: number): void {
  switch (tag) {
    case 10:
      draft.traceId = reader.bytes('hex');
      break;
    case 18:
      draft.spanId = reader.bytes('hex');
      break;
    case 26:
      draft.traceState = reader.text();
      break;
    case 34:
      draft.parentSpanId = reader.bytes('hex');
      break;
    case 42:
      draft.name = reader.text();
      break;
    case 48:
      draft.kind = reader.uint32();
      break;
    case 57:
      draft.startNs = reader.fixed64();
      break;
    case 65:
      draft.endNs = reader.fixed64();
      break;
    case 74:
      readAttribute(reader, draft.attributes);
      break;
    case 90:
      draft.events.push(readEvent(reader));
      break;
    case 106:
      draft.links.push(readLink(reader));
      break;
    case 122:
      readStatus(reader, draft);
      break;
    default:
      reader.skip(tag);
  }
}

function readStatus(reader: WireReader, draft: SpanDraft): void {
  const outer = reader.enter();
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 18) draft.statusMessage = reader.text();
    else if (tag === 24) draft.statusCode = reader.uint32();
    else reader.skip(tag);
  }
  reader.leave(outer);
}

function readEvent(reader: WireReader): SpanEvent {
  reader.budget.spend();
  const outer = reader.enter();
  const attributes: OpenAttributes = {};
  let timeNs = 0n;
  let name = '';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 9) timeNs = reader.fixed64();
    else if (tag === 18) name = reader.text();
    else if (tag === 26) readAttribute(reader, attributes);
    else reader.skip(tag);
  }
  reader.leave(outer);
  return { timeNs, name, attributes };
}

function readLink(reader: WireReader): SpanLink {
  reader.budget.spend();
  const outer = reader.enter();
  const attributes: OpenAttributes = {};
  let traceId = '';
  let spanId = '';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) traceId = reader.bytes('hex');
    else if (tag === 18) spanId = reader.bytes('hex');
    else if (tag === 34) readAttribute(reader, attributes);
    else reader.skip(tag);
  }
  reader.leave(outer);
  return { traceId, spanId, attributes };
}
