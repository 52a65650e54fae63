import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { ROOT_CONTEXT, SpanStatusCode } from '@opentelemetry/api';
import type { RequestRecord } from '../records.ts';
import type { ClientTracing } from './client-tracing.ts';

/** Longest wait for one answer, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;

/** What all requests of a run share. */
export interface Sender {
  /** `http://127.0.0.1:PORT` of the consumer gateway. */
  readonly gatewayUrl: string;
  readonly agent: Agent;
  readonly tracing: ClientTracing;
  readonly signal: AbortSignal;
}

/** One chat completion to ask for. */
export interface Question {
  /** From 1. */
  readonly n: number;
  /** JSON text. */
  readonly body: string;
  /** Whether the body asks for a stream, which must then end in `[DONE]`. */
  readonly stream: boolean;
  /** Headers besides the content's and `traceparent`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request, no retries, and records what came back. Throws only when `signal` aborts. */
export async function sendRequest(
  { gatewayUrl, agent, tracing, signal }: Sender,
  { n, body, stream, headers }: Question,
): Promise<RequestRecord> {
  const span = tracing.start(ROOT_CONTEXT);
  const startedMs = performance.now();
  let ttfbMs = 0;
  const base = { n, traceId: span.spanContext().traceId, stream };
  const took = (): number => round(performance.now() - startedMs);
  try {
    const response = await open(`${gatewayUrl}/v1/chat/completions`, body, {
      agent,
      headers: { ...headers, traceparent: tracing.traceparent(span) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    let text = '';
    response.setEncoding('utf8'); // a character may be cut between two chunks
    for await (const chunk of response) {
      if (ttfbMs === 0) ttfbMs = took();
      text += String(chunk);
    }
    span.setAttribute('http.response.status_code', response.statusCode ?? 0);
    return {
      ...base,
      ...read(response),
      ttfbMs,
      totalMs: took(),
      error: contentFault(response, text, stream),
    };
  } catch (error) {
    signal.throwIfAborted();
    span.setStatus({ code: SpanStatusCode.ERROR });
    const nothing = {
      provider: null,
      group: null,
      policy: null,
      status: 0,
      affinity: null,
      attempts: null,
      revision: null,
    };
    return { ...base, ...nothing, ttfbMs, totalMs: took(), error: (error as Error).message };
  } finally {
    span.end();
  }
}

function open(
  url: string,
  body: string,
  {
    agent,
    headers,
    signal,
  }: { agent: Agent; headers: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const all = {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    httpRequest(url, { method: 'POST', agent, headers: all, signal }, resolve).on('error', reject).end(body);
  });
}

/** What the gateway says of its decision in the response headers. */
function read(
  response: IncomingMessage,
): Pick<RequestRecord, 'provider' | 'group' | 'policy' | 'status' | 'affinity' | 'attempts' | 'revision'> {
  const header = (name: string): string | null => {
    const value = response.headers[`x-switchyard-${name}`];
    return typeof value === 'string' ? value : null;
  };
  const number = (name: string): number | null => {
    const value = header(name);
    return value === null || !/^\d+$/.test(value) ? null : Number(value);
  };
  return {
    provider: header('provider'),
    group: number('group'),
    policy: header('policy'),
    status: response.statusCode ?? 0,
    affinity: header('affinity'),
    attempts: number('attempts'),
    revision: header('revision'),
  };
}

/** A 200 whose content is not a whole answer is a failure too. */
function contentFault(response: IncomingMessage, text: string, stream: boolean): string | null {
  if (response.statusCode !== 200) return `status ${response.statusCode}: ${text.slice(0, 200)}`;
  if (stream) return text.trimEnd().endsWith('data: [DONE]') ? null : 'the stream did not end in [DONE]';
  try {
    const answer = JSON.parse(text) as { choices?: readonly { message?: { content?: unknown } }[] };
    return typeof answer.choices?.[0]?.message?.content === 'string'
      ? null
      : 'the answer has no choices[0].message.content';
  } catch {
    return 'the answer is not JSON';
  }
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
