import { headerValues } from '@switchyard/gateway-kit';

/** `retry-after-ms`, as some providers of models send it beside the standard header. */
const PRECISE = 'retry-after-ms';
const STANDARD = 'retry-after';

/**
 * How long a provider asks to be left alone, in milliseconds: `retry-after-ms`, else `Retry-After` in seconds or as an
 * HTTP-date (RFC 9110 §10.2.3). Undefined when it doesn't ask, or nothing that can be understood.
 * @param headers - A response's flat list of names and values.
 * @param nowMs - Epoch milliseconds, for dates.
 */
export function retryAfterOf(headers: readonly string[], nowMs: number): number | undefined {
  const [precise] = headerValues(headers, PRECISE);
  const [standard] = headerValues(headers, STANDARD);
  return numberOf(precise, 1) ?? numberOf(standard, 1000) ?? untilDate(standard, nowMs);
}

/**
 * The headers of a provider's refusal as the client gets them: told to come back when the first of the providers that it
 * was tried at is ready again, which may be another one than the one that speaks.
 * @param headers - A response's flat list of names and values; returned as it is unless an earlier provider asked for less.
 * @param earlierMs - The shortest time that the providers tried before asked for; infinite when none did.
 * @param ownMs - What this one asks for.
 */
export function withSoonestRetryAfter(
  headers: string[],
  earlierMs: number,
  ownMs: number | undefined,
): string[] {
  if (earlierMs >= (ownMs ?? Number.POSITIVE_INFINITY)) return headers;
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    // Clients that know the precise one prefer it.
    if (name.toLowerCase() === STANDARD || name.toLowerCase() === PRECISE) continue;
    kept.push(name, headers[at + 1] ?? '');
  }
  kept.push(STANDARD, String(Math.ceil(earlierMs / 1000)));
  return kept;
}

function numberOf(value: string | undefined, unitMs: number): number | undefined {
  const text = value?.trim() ?? '';
  return /^\d{1,12}(?:\.\d{1,6})?$/.test(text) ? Number(text) * unitMs : undefined;
}

function untilDate(value: string | undefined, nowMs: number): number | undefined {
  // Every form of HTTP-date begins with the day's name; bare numbers and other nonsense must not be read as years.
  if (value === undefined || !/^\s*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(value)) return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
