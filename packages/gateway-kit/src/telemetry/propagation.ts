import {
  type Context,
  createContextKey,
  createTraceState,
  ROOT_CONTEXT,
  type SpanContext,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import type { PropagatorName } from './settings.ts';

/**
 * W3C trace context and baggage over node's flat header lists. Our own and not the SDK's, because the SDK's drops the
 * random flag of trace context level 2, drops a `tracestate` over 512 characters whole, and re-encodes baggage.
 */
export interface Propagation {
  extract(rawHeaders: readonly string[]): Context;
  inject(context: Context, headers: string[]): void;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZERO_TRACE_ID = '0'.repeat(32);
const ZERO_SPAN_ID = '0'.repeat(16);
/** Level 2: the trace id's right-most seven bytes are random. */
const RANDOM_FLAG = 0x02;
const TRACESTATE_CHARACTERS = 512;
const TRACESTATE_LONG_MEMBER = 128;
const BAGGAGE_BYTES = 8192;
const BAGGAGE_MEMBERS = 64;
const BAGGAGE_KEY: symbol = createContextKey('switchyard.baggage');
/** The trace id that came with the random flag: the SDK forgets the flag, which belongs to the id. */
const RANDOM_TRACE_ID_KEY: symbol = createContextKey('switchyard.random-trace-id');

/** Builds the propagation for the chosen formats. Headers of the others are neither read nor touched. */
export function createPropagation(formats: readonly PropagatorName[]): Propagation {
  const withTrace = formats.includes('tracecontext');
  const withBaggage = formats.includes('baggage');
  return {
    extract(rawHeaders) {
      let context = ROOT_CONTEXT;
      if (withTrace) context = extractTrace(context, rawHeaders);
      if (withBaggage) context = extractBaggage(context, rawHeaders);
      return context;
    },
    inject(context, headers) {
      if (withTrace) injectTrace(context, headers);
      if (withBaggage) injectBaggage(context, headers);
    },
  };
}

function extractTrace(context: Context, rawHeaders: readonly string[]): Context {
  const parents = valuesOf(rawHeaders, 'traceparent');
  const [parent] = parents;
  // Two parents contradict each other: neither is believed, and without a parent tracestate means nothing.
  if (parent === undefined || parents.length > 1) return context;
  const parsed = parseTraceparent(parent);
  if (parsed === undefined) return context;
  const state = trimTracestate(valuesOf(rawHeaders, 'tracestate').join(','));
  const spanContext: SpanContext = {
    traceId: parsed.traceId,
    spanId: parsed.spanId,
    traceFlags: parsed.flags & TraceFlags.SAMPLED,
    isRemote: true,
    ...(state === '' ? {} : { traceState: createTraceState(state) }),
  };
  const withSpan = trace.setSpanContext(context, spanContext);
  return (parsed.flags & RANDOM_FLAG) === 0
    ? withSpan
    : withSpan.setValue(RANDOM_TRACE_ID_KEY, parsed.traceId);
}

function parseTraceparent(text: string): { traceId: string; spanId: string; flags: number } | undefined {
  const match = TRACEPARENT.exec(text.trim());
  const [, version, traceId, spanId, flags, rest] = match ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined)
    return undefined;
  // A later version may add fields; version 00 may not, and ff is forbidden.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (traceId === ZERO_TRACE_ID || spanId === ZERO_SPAN_ID) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** Keeps whole members: over 512 characters the long ones go first, then the right-most (oldest). */
function trimTracestate(text: string): string {
  let members = text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  const length = (): number => members.reduce((sum, member) => sum + member.length + 1, -1);
  if (length() > TRACESTATE_CHARACTERS)
    members = members.filter((member) => member.length <= TRACESTATE_LONG_MEMBER);
  while (length() > TRACESTATE_CHARACTERS) members.pop();
  return members.join(',');
}

function injectTrace(context: Context, headers: string[]): void {
  const span = trace.getSpanContext(context);
  if (span === undefined || !trace.isSpanContextValid(span)) return;
  removeHeader(headers, 'traceparent');
  removeHeader(headers, 'tracestate');
  const random = context.getValue(RANDOM_TRACE_ID_KEY) === span.traceId ? RANDOM_FLAG : 0;
  const flags = (span.traceFlags & TraceFlags.SAMPLED) | random;
  headers.push('traceparent', `00-${span.traceId}-${span.spanId}-0${flags}`);
  const state = span.traceState?.serialize() ?? '';
  if (state !== '') headers.push('tracestate', state);
}

/** Baggage is carried as it came: members are dropped whole beyond the limits, never split or re-encoded. */
function extractBaggage(context: Context, rawHeaders: readonly string[]): Context {
  const values = valuesOf(rawHeaders, 'baggage');
  if (values.length === 0) return context;
  const members: string[] = [];
  let bytes = 0;
  for (const member of values.join(',').split(',')) {
    const text = member.trim();
    const size = Buffer.byteLength(text, 'latin1') + (members.length === 0 ? 0 : 1);
    if (text === '' || bytes + size > BAGGAGE_BYTES) continue;
    if (members.length === BAGGAGE_MEMBERS) break;
    members.push(text);
    bytes += size;
  }
  return context.setValue(BAGGAGE_KEY, members.join(','));
}

function injectBaggage(context: Context, headers: string[]): void {
  const baggage = context.getValue(BAGGAGE_KEY);
  if (typeof baggage !== 'string') return;
  removeHeader(headers, 'baggage');
  if (baggage !== '') headers.push('baggage', baggage);
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const value = rawHeaders[index + 1];
    if (value !== undefined && isNamed(rawHeaders[index], name)) values.push(value);
  }
  return values;
}

function removeHeader(headers: string[], name: string): void {
  for (let index = headers.length - 2; index >= 0; index -= 2) {
    if (isNamed(headers[index], name)) headers.splice(index, 2);
  }
}

function isNamed(found: string | undefined, name: string): boolean {
  // The length test spares the lower-casing of nearly every header.
  return found !== undefined && found.length === name.length && found.toLowerCase() === name;
}
