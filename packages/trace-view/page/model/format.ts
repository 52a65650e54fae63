/** `provider-a` is A: the letter that people know a provider by, wherever its colour is used too. */
export function letterOf(provider: string): string {
  return (provider.split('-').at(-1) ?? provider).charAt(0).toUpperCase();
}

/** `round_robin` as people write it. */
export function words(code: string): string {
  return code.replaceAll('_', ' ');
}

/** Milliseconds with the digits that matter: `0.42 ms`, `12.3 ms`, `1.25 s`. */
export function duration(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(2)} s`;
  if (ms >= 100) return `${ms.toFixed(0)} ms`;
  return `${ms.toFixed(ms >= 10 ? 1 : 2)} ms`;
}

/** A share in percent, one decimal; a dash when there is nothing to share. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`;
}

/** Local time of day with milliseconds; a dash when unknown. */
export function timeOfDay(epochMs: number | null): string {
  if (epochMs === null || !Number.isFinite(epochMs)) return '–';
  const date = new Date(epochMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}

/** First 12 digits of a revision, as the gateway's answers name it. */
export function shortRevision(revision: string | null): string {
  return revision === null ? 'none' : revision.slice(0, 12);
}

/** `1 request`, `2 requests`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
