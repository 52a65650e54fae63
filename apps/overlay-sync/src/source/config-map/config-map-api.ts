import { readFile } from 'node:fs/promises';
import { Agent, type Dispatcher } from 'undici';
import { ApiError, asApiError } from './api-error.ts';
import { watchLines } from './watch-lines.ts';
import { type ConfigMapList, readEvent, readList, statusMessage, type WatchEvent } from './wire.ts';

/** Where the API is and how it is spoken to. */
export interface ApiAccess {
  /** `https://host:port`, without a path. */
  readonly server: string;
  /** File with a bearer token, read anew for each request: the kubelet replaces it before it expires. */
  readonly tokenFile: string | undefined;
  /** File with the authority that signed the server's certificate; read anew, too. Default: those Node knows. */
  readonly caFile: string | undefined;
  readonly insecureSkipTlsVerify: boolean;
  /** How long a connection may take, in milliseconds. */
  readonly connectMs: number;
}

/** Which ConfigMap. */
export interface ConfigMapName {
  readonly namespace: string;
  readonly name: string;
}

/** A ConfigMap has at most 1 MiB; escapes in JSON and managed fields make it longer on the wire, but never that long. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** No server keeps a client away for longer by one answer. */
const RETRY_AFTER_MAX_MS = 300_000;

/** The two calls of the Kubernetes API that following one ConfigMap takes. */
export class ConfigMapApi {
  readonly #access: ApiAccess;
  readonly #path: string;
  readonly #name: string;
  #agent: Agent | undefined;
  #ca: string | undefined;

  constructor(access: ApiAccess, { namespace, name }: ConfigMapName) {
    this.#access = access;
    this.#path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/configmaps`;
    this.#name = name;
  }

  /**
   * Asks for the ConfigMap as a list, which also says from where to watch on.
   *
   * @throws {@link ApiError}
   */
  async list(signal: AbortSignal): Promise<ConfigMapList> {
    const body = await this.#get({}, signal);
    return readList(await this.#readAll(body));
  }

  /**
   * Watches from a resource version on. Resolves once the server has answered; the events then come until it ends the
   * watch.
   *
   * @throws {@link ApiError} also from the iteration.
   */
  async watch(
    from: { readonly resourceVersion: string; readonly timeoutSeconds: number },
    signal: AbortSignal,
  ): Promise<AsyncIterable<WatchEvent>> {
    const body = await this.#get(
      {
        watch: '1',
        allowWatchBookmarks: 'true',
        resourceVersion: from.resourceVersion,
        timeoutSeconds: String(from.timeoutSeconds),
      },
      signal,
    );
    return this.#events(body);
  }

  async close(): Promise<void> {
    await this.#agent?.destroy();
  }

  async *#events(body: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent> {
    try {
      for await (const line of watchLines(body, ANSWER_BYTES_MAX)) yield readEvent(line);
    } catch (error) {
      throw asApiError(error, `watch of ${this.#what}`);
    }
  }

  async #get(
    parameters: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData['body']> {
    const query = new URLSearchParams({ fieldSelector: `metadata.name=${this.#name}`, ...parameters });
    const what = `GET ${this.#access.server}${this.#path}?${query}`;
    try {
      const { statusCode, headers, body } = await (await this.#currentAgent()).request({
        origin: this.#access.server,
        path: `${this.#path}?${query}`,
        method: 'GET',
        headers: { accept: 'application/json', ...(await this.#authorization()) },
        signal,
        // The caller's signal is the only limit: its timers are injected, and a watch is meant to be silent for long.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      if (statusCode === 200) return body;
      const message = statusMessage(await this.#readAll(body));
      throw refusal(statusCode, `${what}: status ${statusCode}${message && `: ${message}`}`, headers);
    } catch (error) {
      throw asApiError(error, what);
    }
  }

  async #readAll(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const chunk of body) {
        length += chunk.byteLength;
        if (length > ANSWER_BYTES_MAX) {
          throw new ApiError('answer_too_large', `the answer has more than ${ANSWER_BYTES_MAX} bytes`);
        }
        chunks.push(chunk);
      }
    } catch (error) {
      throw asApiError(error, `answer about ${this.#what}`);
    }
    return Buffer.concat(chunks);
  }

  get #what(): string {
    return `${this.#path}/${this.#name}`;
  }

  async #authorization(): Promise<Record<string, string>> {
    const { tokenFile } = this.#access;
    if (tokenFile === undefined) return {};
    return { authorization: `Bearer ${(await readCredential(tokenFile, 'token')).trim()}` };
  }

  /** One pool of connections, made anew when the authority's file has other content. */
  async #currentAgent(): Promise<Agent> {
    const { caFile, insecureSkipTlsVerify, connectMs } = this.#access;
    const ca = caFile === undefined ? undefined : await readCredential(caFile, 'CA certificate');
    if (this.#agent !== undefined && ca === this.#ca) return this.#agent;
    await this.#agent?.destroy();
    this.#ca = ca;
    this.#agent = new Agent({
      connect: {
        timeout: connectMs,
        rejectUnauthorized: !insecureSkipTlsVerify,
        ...(ca === undefined ? {} : { ca }),
      },
    });
    return this.#agent;
  }
}

async function readCredential(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ApiError('credentials', `the ${what} can't be read: ${reason}`, { cause });
  }
}

function refusal(
  status: number,
  message: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ApiError {
  if (status === 410) return new ApiError('expired', message);
  const retryAfterMs = readRetryAfter(headers['retry-after']);
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) {
    return new ApiError('throttled', message, retryAfterMs === undefined ? {} : { retryAfterMs });
  }
  return new ApiError('status', message);
}

/** The API server sends whole seconds. */
function readRetryAfter(value: string | string[] | undefined): number | undefined {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return undefined;
  return Math.min(Number(value) * 1000, RETRY_AFTER_MAX_MS);
}
