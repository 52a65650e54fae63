import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openAiError, type Telemetry } from '@switchyard/gateway-kit';
import { evidenceHeaders } from '../log/evidence-headers.ts';
import type { ReplyRecord } from '../log/reply-record.ts';
import type { CassetteIndex } from '../match/cassette-index.ts';
import { playCassette } from '../play/play-cassette.ts';
import type { Timing } from '../play/timing.ts';
import { startReplySpan } from '../telemetry/server-span.ts';
import { decide } from './decide.ts';
import { readBody } from './read-body.ts';
import { internalRefusal, type Refusal, tooLargeRefusal } from './refusal.ts';

/** Logged as the status of a reply whose client left before any status was sent. */
const STATUS_CLIENT_GONE = 499;

/** The parts a replay is made of. */
export interface ReplayDeps {
  readonly index: CassetteIndex;
  readonly timing: Timing;
  /** 1 is the recorded pace, 10 is ten times faster, 0 means at once. */
  readonly speed: number;
  readonly instance: string;
  readonly bodyBytesMax: number;
  readonly telemetry: Telemetry;
  /** Told of each reply once it has ended: here its log line is written. */
  readonly onReply: (record: ReplyRecord) => void;
  /** Told of a fault of this program. */
  readonly onFault: (error: unknown) => void;
}

/** Answers requests from cassettes, on the raw request and response. */
export type ReplayHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** What a reply has come to so far. */
interface Progress {
  cassette: string | null;
  stream: boolean;
  bytes: number;
  /** The client left while it was still sending its request. */
  leftEarly: boolean;
}

/** Makes the handler of all replayed routes. It never rejects. */
export function createReplayHandler(deps: ReplayDeps): ReplayHandler {
  let arrived = 0;
  return async (incoming, outgoing) => {
    arrived += 1;
    const n = arrived;
    const startedMs = deps.timing.monotonicMs();
    const path = pathOf(incoming);
    const method = incoming.method ?? '';
    const span = startReplySpan(deps.telemetry, incoming, {
      method,
      path,
      known: deps.index.paths.has(path),
    });
    const gone = clientGone(outgoing);
    const progress: Progress = { cassette: null, stream: false, bytes: 0, leftEarly: false };
    try {
      await answer(deps, { incoming, outgoing, method, path, gone, progress });
    } catch (error) {
      deps.onFault(error);
      if (outgoing.headersSent) outgoing.destroy();
      else progress.bytes = await refuse(outgoing, internalRefusal(), gone);
    }
    const aborted = gone.aborted || progress.leftEarly;
    const status = outgoing.headersSent ? outgoing.statusCode : undefined;
    const hit = progress.cassette !== null;
    span.end({ status, cassette: progress.cassette, hit, aborted });
    const record: ReplyRecord = {
      n,
      instance: deps.instance,
      cassette: progress.cassette,
      hit,
      status: status ?? STATUS_CLIENT_GONE,
      stream: progress.stream,
      bytes: progress.bytes,
      durationMs: Math.round((deps.timing.monotonicMs() - startedMs) * 1000) / 1000,
      aborted,
      traceId: span.traceId,
      ...evidenceHeaders(incoming.headers),
      time: new Date(deps.timing.epochMs()).toISOString(),
    };
    deps.onReply(record);
  };
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly gone: AbortSignal;
  readonly progress: Progress;
}

async function answer(deps: ReplayDeps, exchange: Exchange): Promise<void> {
  const { incoming, outgoing, gone, progress } = exchange;
  const read = await readBody(incoming, deps.bodyBytesMax);
  if (!read.ok) {
    if (read.reason === 'client_gone') progress.leftEarly = true;
    else progress.bytes = await refuse(outgoing, tooLargeRefusal(deps.bodyBytesMax), gone);
    return;
  }
  const decision = decide(deps.index, { method: exchange.method, path: exchange.path, body: read.body });
  progress.stream = decision.stream;
  if (decision.kind === 'refused') {
    progress.bytes = await refuse(outgoing, decision.refusal, gone);
    return;
  }
  const { id, response } = decision.cassette;
  progress.cassette = id;
  progress.bytes = await playCassette(response, outgoing, {
    timing: deps.timing,
    speed: deps.speed,
    signal: gone,
    headers: { 'x-vcr-cassette': id, 'x-vcr-hit': 'true' },
  });
}

/** Sends an error reply in OpenAI's shape; gives its body bytes once the last one has left. */
async function refuse(outgoing: ServerResponse, refusal: Refusal, gone: AbortSignal): Promise<number> {
  if (gone.aborted) return 0;
  const type = refusal.status >= 500 ? 'server_error' : 'invalid_request_error';
  const { message, code, param, status } = refusal;
  const body = Buffer.from(openAiError({ status, message, type, code, param }).body, 'utf8');
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.byteLength,
    'x-vcr-hit': 'false',
    ...refusal.headers,
  });
  const finished = once(outgoing, 'finish', { signal: gone }).catch(() => undefined);
  outgoing.end(body);
  await finished;
  return body.byteLength;
}

/** Fires when the connection closes before the reply was handed over whole. */
function clientGone(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** The path of a request, without its query. */
export function pathOf(incoming: IncomingMessage): string {
  const target = incoming.url ?? '/';
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}
