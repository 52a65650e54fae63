import { type IncomingHttpHeaders, request } from 'node:http';
import { closeServer, disabledTelemetry, listen, type Telemetry } from '@switchyard/gateway-kit';
import type { Cassette } from '../../src/cassette/format.ts';
import { createVcrServer } from '../../src/http/server.ts';
import type { ReplyRecord } from '../../src/log/reply-record.ts';
import { CassetteIndex } from '../../src/match/cassette-index.ts';
import { DEFAULT_IGNORE } from '../../src/match/request-key.ts';
import { systemTiming, type Timing } from '../../src/play/timing.ts';

/** A VCR server in this process, on a real socket. */
export interface Vcr {
  readonly port: number;
  /** Replies that have ended, in that order. */
  readonly replies: ReplyRecord[];
  readonly faults: unknown[];
  /** Stops it the way the app does. */
  close(graceMs: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface VcrOptions {
  readonly timing?: Timing;
  readonly speed?: number;
  readonly bodyBytesMax?: number;
  readonly telemetry?: Telemetry;
}

export async function startVcr(cassettes: readonly Cassette[], options: VcrOptions = {}): Promise<Vcr> {
  const replies: ReplyRecord[] = [];
  const faults: unknown[] = [];
  const server = createVcrServer(cassettes, {
    index: new CassetteIndex(cassettes, new Set(DEFAULT_IGNORE)),
    timing: options.timing ?? systemTiming,
    speed: options.speed ?? 0,
    instance: 'vcr-test',
    bodyBytesMax: options.bodyBytesMax ?? 100_000,
    telemetry: options.telemetry ?? disabledTelemetry(),
    onReply: (record) => replies.push(record),
    onFault: (error) => faults.push(error),
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  const close = (graceMs: number): Promise<void> => closeServer(server, graceMs);
  return { port, replies, faults, close, [Symbol.asyncDispose]: () => close(0) };
}

/** A reply under way. */
export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What has arrived so far, one entry per read. */
  readonly chunks: Buffer[];
  /** All bytes, once the reply has ended. Rejects when it was cut. */
  readonly body: Promise<Buffer>;
  /** Leaves, as a client does that closes its window. */
  abort(): void;
}

export interface SendOptions {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Told right before the request goes out: how to leave before any reply. */
  readonly onSent?: (abort: () => void) => void;
}

/** Sends a request and resolves with the head of the reply. */
export function send(port: number, body: unknown, options: SendOptions = {}): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const { method = 'POST', path = '/v1/chat/completions', headers = {} } = options;
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      const whole = new Promise<Buffer>((done, failed) => {
        incoming.once('end', () => done(Buffer.concat(chunks)));
        incoming.once('error', failed);
      });
      // A test that aborts looks at the server's side, not at this.
      whole.catch(() => undefined);
      const { statusCode = 0 } = incoming;
      const abort = (): void => void outgoing.destroy();
      resolve({ status: statusCode, headers: incoming.headers, chunks, body: whole, abort });
    });
    outgoing.once('error', reject);
    const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    outgoing.end(body === undefined ? undefined : raw);
    options.onSent?.(() => void outgoing.destroy());
  });
}

/** Sends a request and reads its reply as JSON. */
export async function sendForJson(
  port: number,
  body: unknown,
  options: SendOptions = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; json: Record<string, unknown> }> {
  const exchange = await send(port, body, options);
  const json = JSON.parse((await exchange.body).toString('utf8')) as Record<string, unknown>;
  return { status: exchange.status, headers: exchange.headers, json };
}
