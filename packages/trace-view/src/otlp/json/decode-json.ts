import { isUtf8 } from 'node:buffer';
import type { Attributes, SpanEvent, SpanLink } from '../../model/span.ts';
import { Budget } from '../decode/budget.ts';
import { type DecodedExport, ExportCollector, SpanDraft, spanSource } from '../decode/span-draft.ts';
import { OtlpError } from '../otlp-error.ts';
import { AttributeReader } from './decode-attributes.ts';
import { each, enumOf, type JsonObject, objectOf, stringOf, uint64Of, wrong } from './json-fields.ts';
import { scanJson } from './scan-json.ts';

/**
 * Reads an `ExportTraceServiceRequest` in the JSON of the OTLP specification: ids in hex, enumerations as numbers,
 * 64-bit integers as strings or numbers, bytes in base64, unknown fields ignored.
 *
 * @param maxValues most spans, attributes, events, links and elements together.
 * @throws {@link OtlpError} `malformed`, naming the path, or `too_large`.
 */
export function decodeJson(body: Buffer, maxValues: number): DecodedExport {
  scanJson(body, maxValues);
  const root = objectOf(parse(body), 'the body') ?? wrong('the body', 'an object', null);
  return new JsonExport(maxValues).read(root);
}

function parse(body: Buffer): unknown {
  if (!isUtf8(body)) throw new OtlpError('malformed', 'the JSON text is not UTF-8');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new OtlpError('malformed', `not a JSON text: ${(cause as Error).message}`, { cause });
  }
}

class JsonExport {
  readonly #budget: Budget;
  readonly #attributes: AttributeReader;
  readonly #collector = new ExportCollector();

  constructor(maxValues: number) {
    this.#budget = new Budget(maxValues);
    this.#attributes = new AttributeReader(this.#budget);
  }

  read(root: JsonObject): DecodedExport {
    each(root['resourceSpans'], 'resourceSpans', (item) => {
      this.#budget.spend();
      const resource = this.#attributes.list(objectOf(item['resource'], 'resource')?.['attributes']);
      each(item['scopeSpans'], 'scopeSpans', (scopeSpans) => this.#scopeSpans(scopeSpans, resource));
    });
    return this.#collector;
  }

  #scopeSpans(item: JsonObject, resource: Attributes): void {
    this.#budget.spend();
    const scope = objectOf(item['scope'], 'scope');
    const source = spanSource(resource, {
      name: stringOf(scope?.['name'], 'scope.name'),
      version: stringOf(scope?.['version'], 'scope.version'),
    });
    each(item['spans'], 'spans', (span) => this.#collector.add(this.#span(span), source));
  }

  #span(span: JsonObject): SpanDraft {
    this.#budget.spend();
    const draft = new SpanDraft(this.#attributes.list(span['attributes']));
    draft.traceId = stringOf(span['traceId'], 'traceId');
    draft.spanId = stringOf(span['spanId'], 'spanId');
    draft.parentSpanId = stringOf(span['parentSpanId'], 'parentSpanId');
    draft.traceState = stringOf(span['traceState'], 'traceState');
    draft.name = stringOf(span['name'], 'name');
    draft.kind = enumOf(span['kind'], 'kind');
    draft.startNs = uint64Of(span['startTimeUnixNano'], 'startTimeUnixNano');
    draft.endNs = uint64Of(span['endTimeUnixNano'], 'endTimeUnixNano');
    const status = objectOf(span['status'], 'status');
    draft.statusCode = enumOf(status?.['code'], 'status.code');
    draft.statusMessage = stringOf(status?.['message'], 'status.message');
    each(span['events'], 'events', (event) => draft.events.push(this.#event(event)));
    each(span['links'], 'links', (link) => draft.links.push(this.#link(link)));
    return draft;
  }

  #event(event: JsonObject): SpanEvent {
    this.#budget.spend();
    return {
      timeNs: uint64Of(event['timeUnixNano'], 'timeUnixNano'),
      name: stringOf(event['name'], 'name'),
      attributes: this.#attributes.list(event['attributes']),
    };
  }

  #link(link: JsonObject): SpanLink {
    this.#budget.spend();
    return {
      traceId: stringOf(link['traceId'], 'traceId').toLowerCase(),
      spanId: stringOf(link['spanId'], 'spanId').toLowerCase(),
      attributes: this.#attributes.list(link['attributes']),
    };
  }
}
