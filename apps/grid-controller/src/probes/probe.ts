import { request } from 'undici';

/** What one probe found. */
export interface ProbeResult {
  /** `healthy` 2xx; `unhealthy` any other answer; `unreachable` none in time; `unasked` this version can't ask. */
  readonly outcome: 'healthy' | 'unhealthy' | 'unreachable' | 'unasked';
  /** For people: the status, or why there was no answer. */
  readonly detail: string;
}

/**
 * Asks a health endpoint once; never throws. Redirects are not followed: a login page is no health. An aborted probe
 * counts as unreachable.
 */
export async function probe(url: string, timeoutMs: number, signal: AbortSignal): Promise<ProbeResult> {
  try {
    const { statusCode, body } = await request(url, {
      method: 'GET',
      headers: { connection: 'close' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await body.dump();
    const healthy = statusCode >= 200 && statusCode < 300;
    return { outcome: healthy ? 'healthy' : 'unhealthy', detail: `status ${statusCode}` };
  } catch (error) {
    return { outcome: 'unreachable', detail: reasonOf(error, timeoutMs) };
  }
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === '' ? String(error) : code;
}
