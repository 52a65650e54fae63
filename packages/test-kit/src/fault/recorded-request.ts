import type { IncomingMessage } from 'node:http';

/** One request as the upstream saw it. */
export interface RecordedRequest {
  readonly method: string;
  /** With query. */
  readonly path: string;
  /** Flat name, value, ... exactly as received. */
  readonly rawHeaders: readonly string[];
  /** The value of the first header of that name, any case. */
  header(name: string): string | undefined;
  /** Bytes received so far; complete once `bodyComplete`. */
  readonly body: Buffer;
  readonly bodyComplete: boolean;
  /** The connection had carried a request before. */
  readonly socketReused: boolean;
  /** The mode that answered it. */
  readonly mode: string;
  /** The peer went away before the answer was complete. */
  readonly aborted: boolean;
  /** Resolves when the exchange is over: answered, cut by the mode, or left by the peer. */
  readonly over: Promise<'answered' | 'cut' | 'aborted'>;
}

/** The upstream's own side of a {@link RecordedRequest}. */
export class RequestRecorder implements RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly mode: string;
  readonly socketReused: boolean;
  readonly over: Promise<'answered' | 'cut' | 'aborted'>;
  bodyComplete = false;
  aborted = false;
  #chunks: Buffer[] = [];
  #end: (how: 'answered' | 'cut' | 'aborted') => void = () => {};

  constructor(request: IncomingMessage, how: { mode: string; socketReused: boolean }) {
    this.method = request.method ?? '';
    this.path = request.url ?? '';
    this.rawHeaders = [...request.rawHeaders];
    this.mode = how.mode;
    this.socketReused = how.socketReused;
    this.over = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get body(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  header(name: string): string | undefined {
    const wanted = name.toLowerCase();
    const at = this.rawHeaders.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === wanted);
    return at === -1 ? undefined : this.rawHeaders[at + 1];
  }

  addChunk(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  finish(how: 'answered' | 'cut' | 'aborted'): void {
    this.aborted = how === 'aborted';
    this.#end(how);
  }
}
