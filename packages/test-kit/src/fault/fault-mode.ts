/**
 * How a {@link FaultUpstream} answers. `<n>` counts SSE events of a streaming answer and body bytes of a plain one.
 *
 * - `ok`: a right answer
 * - `status:<code>[:<retry-after>]`: an OpenAI-shaped error
 * - `cut:<n>`: n events, then a TCP reset; `cut:<n>:fin`: then a FIN without the end of the body
 * - `stall:<n>`: n events, then silence on an open connection
 * - `slow:<ms>`: waits before the head; `pace:<ms>`: waits between events
 * - `hang`: reads the request and never answers; `reset`: reads it and resets before the head
 * - `early:<code>`: answers without reading the body, also to `Expect: 100-continue`
 * - `big:<bytes>`: a plain answer with a body of exactly that size; `flood:<n>`: n x 64 KiB without a line break
 * - `split`: byte by byte; `crlf`: CRLF, comments, `id`, `event`, `retry`, multi-line data
 * - `nodone`: ends without `[DONE]`; `errevent`: an error event in the stream; `badjson:<n>`: event n is not JSON
 * - `gzip`: gzip body with `content-encoding`; `gztrunc`: half of it
 * - `shortcl`: fewer bytes than `content-length` says, then FIN
 * - `leak`: hop-by-hop headers, cookies, an internal Location, and the credentials it received
 * - `idle:<ms>`: a right answer, then FIN on the idle connection without a hint
 */
export type FaultMode =
  | 'ok'
  | 'hang'
  | 'reset'
  | 'split'
  | 'crlf'
  | 'nodone'
  | 'errevent'
  | 'gzip'
  | 'gztrunc'
  | 'shortcl'
  | 'leak'
  | `status:${number}`
  | `status:${number}:${string}`
  | `cut:${number}`
  | `cut:${number}:fin`
  | `stall:${number}`
  | `slow:${number}`
  | `pace:${number}`
  | `early:${number}`
  | `big:${number}`
  | `flood:${number}`
  | `badjson:${number}`
  | `idle:${number}`;

/** A mode taken apart. */
export interface ParsedMode {
  readonly name: string;
  /** The first argument; 0 when there is none. */
  readonly amount: number;
  /** What follows the second colon. */
  readonly rest: string | undefined;
}

/** @throws Error when the number is not one. Unknown names are found by the table of behaviours. */
export function parseMode(mode: string): ParsedMode {
  const [name = '', amount = '0', ...rest] = mode.split(':');
  const number = Number(amount);
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new Error(`Fault mode "${mode}": "${amount}" is not a whole number >= 0`);
  }
  return { name, amount: number, rest: rest.length === 0 ? undefined : rest.join(':') };
}
