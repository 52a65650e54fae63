import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https, { type ServerOptions as TlsOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { waitUntil } from '../wait-until.ts';
import { ANSWERS_EARLY, BEHAVIOURS } from './behaviours.ts';
import { Exchange } from './exchange.ts';
import { type FaultMode, parseMode } from './fault-mode.ts';
import { type RecordedRequest, RequestRecorder } from './recorded-request.ts';

/** Options of {@link startFaultUpstream}. */
export interface FaultUpstreamOptions {
  /** Stands in answers and in the header `x-fault-upstream`. Default "upstream". */
  readonly name?: string;
  /** Default `ok`. */
  readonly mode?: FaultMode;
  /** Content chunks of a stream; a role chunk, a finish chunk and `[DONE]` come on top. Default 5. */
  readonly chunks?: number;
  /** Default: a free one. */
  readonly port?: number;
  /** Serves TLS with these, e.g. `{ key, cert, ca, requestCert: true }`. */
  readonly tls?: TlsOptions;
}

/** A scripted OpenAI-shaped upstream on a real socket of 127.0.0.1. */
export interface FaultUpstream {
  readonly port: number;
  /** `http://127.0.0.1:<port>`, or https. */
  readonly origin: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Connections accepted so far. */
  readonly connections: number;
  /** How it answers from now on. A request header `x-fault-mode` overrides both this and `next`. */
  setMode(mode: FaultMode): void;
  /** How it answers the next requests, one mode each; the set mode comes back after them. */
  next(...modes: FaultMode[]): void;
  /** Waits until request number `count` (from 1) has arrived with its head, and returns it. */
  waitForRequest(count?: number): Promise<RecordedRequest>;
  /** Forgets the recorded requests, pending `next` modes and the set mode. */
  reset(): void;
  /** Breaks all connections and stops listening. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a {@link FaultUpstream}; see {@link FaultMode} for what it can do. */
export async function startFaultUpstream(options: FaultUpstreamOptions = {}): Promise<FaultUpstream> {
  const requests: RequestRecorder[] = [];
  const sockets = new Set<Socket>();
  const usedSockets = new WeakSet<Socket>();
  const script = { mode: options.mode ?? 'ok', queue: [] as string[], connections: 0, serial: 0 };
  parseKnown(script.mode);

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const mode = headerText(request.headers['x-fault-mode']) ?? script.queue.shift() ?? script.mode;
    const record = new RequestRecorder(request, { mode, socketReused: usedSockets.has(request.socket) });
    usedSockets.add(request.socket);
    requests.push(record);
    script.serial++;
    const reply = { name: options.name ?? 'upstream', serial: script.serial, chunks: options.chunks ?? 5 };
    void run(new Exchange({ request, response }, record, reply), mode);
  };

  const server = createServer(options.tls);
  // Whatever a proxy passes on is seen, not dropped in silence.
  server.maxHeadersCount = 0;
  server.on('request', handle);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const mode = headerText(request.headers['x-fault-mode']) ?? script.queue[0] ?? script.mode;
    if (!ANSWERS_EARLY.has(parseMode(mode).name)) response.writeContinue();
    handle(request, response);
  });
  server.on(options.tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    script.connections++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  const port = await listen(server, options.port ?? 0);
  const close = (): Promise<void> => closeServer(server, sockets);

  return {
    port,
    origin: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    get connections() {
      return script.connections;
    },
    setMode: (mode) => {
      parseKnown(mode);
      script.mode = mode;
    },
    next: (...modes) => {
      for (const mode of modes) parseKnown(mode);
      script.queue.push(...modes);
    },
    waitForRequest: (count = 1) => waitUntil(() => requests[count - 1], { what: `request ${count}` }),
    reset: () => {
      requests.length = 0;
      script.queue.length = 0;
      script.mode = options.mode ?? 'ok';
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function run(exchange: Exchange, modeText: string): Promise<void> {
  const { response, record } = exchange;
  response.on('error', () => {});
  response.once('close', () => {
    if (response.writableFinished && !exchange.cutByMode) record.finish('answered');
    else record.finish(exchange.cutByMode ? 'cut' : 'aborted');
  });
  const mode = parseMode(modeText);
  if (!ANSWERS_EARLY.has(mode.name) && !(await exchange.readBody())) return;
  try {
    await behaviour(modeText)(exchange, mode);
  } catch (error) {
    // A mistake of a mode must not look like one of the code under test.
    process.emitWarning(`Fault mode ${modeText} failed: ${String(error)}`);
    response.destroy();
  }
}

function parseKnown(mode: string): void {
  behaviour(mode);
}

function behaviour(mode: string): NonNullable<ReturnType<(typeof BEHAVIOURS)['get']>> {
  const found = BEHAVIOURS.get(parseMode(mode).name);
  if (found === undefined) {
    throw new Error(`Unknown fault mode "${mode}"; known: ${[...BEHAVIOURS.keys()].join(', ')}`);
  }
  return found;
}

function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

function createServer(tls: TlsOptions | undefined): Server {
  // No time-outs and no keep-alive hint of its own: what closes is what a mode closes.
  const common = {
    maxHeaderSize: 1_048_576,
    keepAliveTimeout: 0,
    requestTimeout: 0,
    headersTimeout: 0,
    noDelay: true,
  };
  return tls === undefined ? http.createServer(common) : https.createServer({ ...tls, ...common });
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}
