import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { CassetteResponse } from '../cassette/format.ts';
import { dueMs, type Timing } from './timing.ts';

/** What a replay needs besides the recording. */
export interface PlayOptions {
  readonly timing: Timing;
  /** 1 is the recorded pace, 10 is ten times faster, 0 means at once. */
  readonly speed: number;
  /** Fires when the client has left. */
  readonly signal: AbortSignal;
  /** Added to the recorded headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Plays a recorded response: each chunk is written as one piece, never ahead of its recorded offset, and never
 * faster than the client reads. Offsets count from the call. The head goes out with the first chunk, as a server
 * that has nothing to say yet sends nothing.
 *
 * Resolves with the body bytes handed to the connection, once the last byte has left or the client has.
 */
export async function playCassette(
  response: CassetteResponse,
  outgoing: ServerResponse,
  options: PlayOptions,
): Promise<number> {
  const { timing, speed, signal } = options;
  const startMs = timing.monotonicMs();
  let bytes = 0;
  for (const chunk of response.chunks) {
    // Against the start, not the chunk before: late timers don't add up.
    await waitUntilMs(startMs + dueMs(chunk.offsetMs, speed), timing, signal);
    if (signal.aborted) return bytes;
    if (!outgoing.headersSent) writeHead(response, outgoing, options.headers);
    bytes += chunk.bytes.byteLength;
    if (!outgoing.write(chunk.bytes)) await eventOrAbort(outgoing, 'drain', signal);
  }
  if (signal.aborted) return bytes;
  if (!outgoing.headersSent) writeHead(response, outgoing, options.headers);
  const finished = eventOrAbort(outgoing, 'finish', signal);
  outgoing.end();
  await finished;
  return bytes;
}

/** Waits again when a timer was early. */
async function waitUntilMs(untilMs: number, timing: Timing, signal: AbortSignal): Promise<void> {
  for (;;) {
    const restMs = untilMs - timing.monotonicMs();
    if (restMs <= 0 || signal.aborted) return;
    await timing.wait(restMs, signal);
  }
}

function writeHead(
  response: CassetteResponse,
  outgoing: ServerResponse,
  extra: Readonly<Record<string, string>>,
): void {
  const headers: Record<string, string> = { ...response.headers, ...extra };
  // A stream is framed chunk by chunk, so that each recorded chunk stays one frame; anything else has its length.
  const bodiless = response.status === 204 || response.status === 304;
  if (!isEventStream(response) && !bodiless) headers['content-length'] = String(response.byteLength);
  outgoing.writeHead(response.status, headers);
}

function isEventStream(response: CassetteResponse): boolean {
  return response.headers['content-type']?.startsWith('text/event-stream') === true;
}

async function eventOrAbort(outgoing: ServerResponse, event: string, signal: AbortSignal): Promise<void> {
  try {
    await once(outgoing, event, { signal });
  } catch (error) {
    // The client left, or the socket broke under the write: the caller sees it on the signal.
    if (!signal.aborted && !outgoing.destroyed) throw error;
  }
}
