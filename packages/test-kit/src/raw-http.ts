import { connect } from 'node:net';

/** Options of {@link rawHttp}. */
export interface RawHttpOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Gives up after this long and reports what had arrived. Default 15000. */
  readonly timeoutMs?: number;
  /** How the answer's bytes become text. Default utf8; latin1 keeps one character per byte. */
  readonly encoding?: 'utf8' | 'latin1';
}

/**
 * Writes `text` to a socket byte for byte and returns all that comes back until the peer closes.
 * For requests that HTTP clients refuse to send. Say `Connection: close`, or the wait ends in a time-out.
 *
 * @throws Error when the connection fails or is reset before any byte, or on time-out.
 */
export function rawHttp(
  port: number,
  text: string | Uint8Array,
  options: RawHttpOptions = {},
): Promise<string> {
  const timeoutMs = options.timeoutMs ?? 15_000;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const answer = (): string => Buffer.concat(chunks).toString(options.encoding ?? 'utf8');
    const socket = connect({ port, host: options.host ?? '127.0.0.1' });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(`No end of answer from port ${port} in ${timeoutMs} ms; so far: ${answer().slice(0, 500)}`),
      );
    }, timeoutMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) => {
      // A reset after some bytes is an answer too: the caller wants to see how far it came.
      if (chunks.length === 0) reject(error);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer());
    });
    socket.write(text);
  });
}
