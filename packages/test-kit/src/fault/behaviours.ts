import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Exchange } from './exchange.ts';
import type { ParsedMode } from './fault-mode.ts';
import { errorJson } from './openai-reply.ts';

type Behaviour = (exchange: Exchange, mode: ParsedMode) => Promise<void> | void;

/** Modes that must answer before the request's body is read. */
export const ANSWERS_EARLY: ReadonlySet<string> = new Set(['early']);

/** Name of a mode to what it does. */
export const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ['ok', (exchange) => answer(exchange, exchange.pieces())],
  ['idle', answerThenClose],
  ['status', (exchange, mode) => status(exchange, mode.amount, mode.rest)],
  ['early', (exchange, mode) => status(exchange, mode.amount, mode.rest)],
  ['cut', cut],
  ['stall', (exchange, mode) => writeFirst(exchange, mode.amount)],
  ['hang', () => {}],
  ['reset', (exchange) => exchange.cut('reset')],
  ['slow', slow],
  ['pace', pace],
  ['split', (exchange) => answer(exchange, exchange.pieces(), true)],
  ['crlf', (exchange) => answer(exchange, crlfEvents(exchange))],
  ['nodone', (exchange) => answer(exchange, exchange.pieces().slice(0, -1))],
  ['errevent', (exchange) => answer(exchange, withErrorEvent(exchange))],
  ['badjson', (exchange, mode) => answer(exchange, withBadEvent(exchange, mode.amount))],
  ['gzip', (exchange) => gzip(exchange, 1)],
  ['gztrunc', (exchange) => gzip(exchange, 0.5)],
  ['shortcl', shortContentLength],
  ['big', big],
  ['flood', flood],
  ['leak', leak],
]);

async function answer(exchange: Exchange, pieces: readonly string[], bytewise = false): Promise<void> {
  exchange.head();
  if (!exchange.streaming && !bytewise) {
    exchange.response.end(pieces.join(''));
    return;
  }
  for (const piece of pieces) {
    for (const part of bytewise ? Buffer.from(piece) : [piece]) {
      if (!(await exchange.write(typeof part === 'string' ? part : Buffer.of(part)))) return;
      if (bytewise) await nextTurn();
    }
  }
  exchange.response.end();
}

async function answerThenClose(exchange: Exchange, mode: ParsedMode): Promise<void> {
  const socket = exchange.request.socket;
  exchange.response.once('finish', () => setTimeout(() => socket.end(), mode.amount).unref());
  await answer(exchange, exchange.pieces());
}

function status(exchange: Exchange, code: number, retryAfter: string | undefined): void {
  const body = errorJson(code, exchange.name);
  const headers = ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(body))];
  if (retryAfter !== undefined) headers.push('retry-after', retryAfter);
  exchange.response.writeHead(code, [...headers, 'x-fault-upstream', exchange.name]);
  exchange.response.end(body);
}

async function writeFirst(exchange: Exchange, count: number): Promise<void> {
  exchange.head();
  const first = exchange.pieces().slice(0, count);
  if (!exchange.streaming) await exchange.write(first.join(''));
  else for (const piece of first) if (!(await exchange.write(piece))) return;
}

async function cut(exchange: Exchange, mode: ParsedMode): Promise<void> {
  await writeFirst(exchange, mode.amount);
  await exchange.cut(mode.rest === 'fin' ? 'fin' : 'reset');
}

async function slow(exchange: Exchange, mode: ParsedMode): Promise<void> {
  await delay(mode.amount);
  await answer(exchange, exchange.pieces());
}

async function pace(exchange: Exchange, mode: ParsedMode): Promise<void> {
  exchange.head();
  const pieces = exchange.streaming ? exchange.pieces() : [exchange.plainBody()];
  for (const piece of pieces) {
    if (!(await exchange.write(piece))) return;
    await delay(mode.amount);
  }
  exchange.response.end();
}

function crlfEvents(exchange: Exchange): string[] {
  if (!exchange.streaming) return exchange.pieces();
  const [first = '', ...rest] = exchange.pieces();
  const open = ': comment\r\nretry: 1000\r\n\r\n';
  const multi = 'id: 1\r\nevent: note\r\ndata: line one\r\ndata: line two\r\n\r\n';
  return [open, multi, ...[first, ...rest].map((event) => event.replaceAll('\n', '\r\n'))];
}

function withErrorEvent(exchange: Exchange): string[] {
  const [first = ''] = exchange.pieces();
  return exchange.streaming ? [first, `data: ${errorJson(500, exchange.name)}\n\n`] : exchange.pieces();
}

function withBadEvent(exchange: Exchange, at: number): string[] {
  const pieces = exchange.pieces();
  return exchange.streaming ? pieces.map((event, i) => (i === at ? 'data: {"id":\n\n' : event)) : pieces;
}

function gzip(exchange: Exchange, share: number): void {
  const bytes = gzipSync(exchange.pieces().join(''));
  const type = exchange.streaming ? 'text/event-stream' : 'application/json';
  exchange.response.writeHead(200, ['content-type', type, 'content-encoding', 'gzip']);
  exchange.response.end(bytes.subarray(0, Math.ceil(bytes.length * share)));
}

async function shortContentLength(exchange: Exchange): Promise<void> {
  const body = exchange.plainBody();
  const length = String(Buffer.byteLength(body) + 100);
  exchange.response.writeHead(200, ['content-type', 'application/json', 'content-length', length]);
  await exchange.write(body);
  await exchange.cut('fin');
}

/** The completion with padding in its text, so that the body is `amount` bytes and still JSON. */
function big(exchange: Exchange, mode: ParsedMode): void {
  const [before = '', after = ''] = exchange.plainBody().split('"content":"', 2);
  const fixed = `${before}"content":"${after}`;
  const padding = 'x'.repeat(Math.max(0, mode.amount - Buffer.byteLength(fixed)));
  const body = `${before}"content":"${padding}${after}`;
  const length = String(Buffer.byteLength(body));
  exchange.response.writeHead(200, ['content-type', 'application/json', 'content-length', length]);
  exchange.response.end(body);
}

async function flood(exchange: Exchange, mode: ParsedMode): Promise<void> {
  exchange.response.writeHead(200, ['content-type', 'text/event-stream']);
  const block = Buffer.alloc(65_536, 'x');
  for (let n = 0; n < mode.amount; n++) {
    // The callback comes when the kernel took it: a peer that does not read holds the flood back.
    if (!(await exchange.write(block))) return;
  }
  exchange.response.end();
}

function leak(exchange: Exchange): void {
  const body = exchange.plainBody();
  exchange.response.writeHead(200, [
    ...['content-type', 'application/json', 'content-length', String(Buffer.byteLength(body))],
    ...['connection', 'keep-alive, x-hop', 'keep-alive', 'timeout=99', 'x-hop', 'secret-hop'],
    ...['proxy-authenticate', 'Basic realm="internal"', 'upgrade', 'h2c', 'te', 'trailers'],
    ...['set-cookie', 'a=1; Path=/', 'set-cookie', 'b=2; Path=/'],
    ...['location', `http://127.0.0.1:${exchange.request.socket.localPort ?? 0}/internal`],
    ...['x-received-authorization', exchange.record.header('authorization') ?? ''],
    ...['x-received-api-key', exchange.record.header('x-api-key') ?? ''],
  ]);
  exchange.response.end(body);
}
