import type { HrTime } from '@opentelemetry/api';

/** Seconds and nanoseconds -> milliseconds. */
export function hrTimeToMs([seconds, nanoseconds]: HrTime): number {
  return seconds * 1000 + nanoseconds / 1e6;
}

/** An epoch time -> ISO 8601 in UTC, to the millisecond. */
export function hrTimeToIso(time: HrTime): string {
  return new Date(hrTimeToMs(time)).toISOString();
}
