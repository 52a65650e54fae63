import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { ROOT_CONTEXT, SpanStatusCode } from '@opentelemetry/api';
import type { RequestRecord } from '../records/types.ts';
import type { ClientTracing } from './client-tracing.ts';

/** Longest wait for one answer, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Every fourth round of the providers asks for a stream, so that both kinds of answer are in the proof. */
const STREAM_EVERY_ROUNDS = 4;

/** The two recorded questions that the backends can answer. */
const PLAIN = JSON.stringify({
  model: 'demo-model',
  messages: [{ role: 'user', content: 'Which site answers?' }],
});
const STREAM = JSON.stringify({
  model: 'demo-model',
  messages: [{ role: 'user', content: 'Which site answers?' }],
  stream: true,
});

/** What the window needs. */
export interface TrafficOptions {
  /** `http://127.0.0.1:PORT` of the consumer gateway. */
  readonly gatewayUrl: string;
  readonly requests: number;
  readonly providers: number;
  readonly tracing: ClientTracing;
  readonly onRecord: (record: RequestRecord) => void;
  readonly signal: AbortSignal;
}

/** Sends the requests one after another, no retries, and records what came back for each. */
export async function sendTraffic(options: TrafficOptions): Promise<RequestRecord[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const records: RequestRecord[] = [];
  try {
    for (let n = 1; n <= options.requests; n++) {
      options.signal.throwIfAborted();
      const round = Math.floor((n - 1) / options.providers);
      const record = await sendOne(options, agent, {
        n,
        stream: round % STREAM_EVERY_ROUNDS === STREAM_EVERY_ROUNDS - 1,
      });
      records.push(record);
      options.onRecord(record);
    }
  } finally {
    agent.destroy();
  }
  return records;
}

async function sendOne(
  { gatewayUrl, tracing, signal }: TrafficOptions,
  agent: Agent,
  { n, stream }: { n: number; stream: boolean },
): Promise<RequestRecord> {
  const span = tracing.start(ROOT_CONTEXT);
  const startedMs = performance.now();
  let ttfbMs = 0;
  const base = { n, traceId: span.spanContext().traceId, stream };
  const took = (): number => round(performance.now() - startedMs);
  try {
    const body = stream ? STREAM : PLAIN;
    const response = await open(`${gatewayUrl}/v1/chat/completions`, body, {
      agent,
      traceparent: tracing.traceparent(span),
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
  { agent, traceparent, signal }: { agent: Agent; traceparent: string; signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      traceparent,
    };
    httpRequest(url, { method: 'POST', agent, headers, signal }, resolve).on('error', reject).end(body);
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
