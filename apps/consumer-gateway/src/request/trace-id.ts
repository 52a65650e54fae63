import { headerValues } from './raw-headers.ts';

/** The trace id of a valid `traceparent`, or null: joins log lines to a client's trace while telemetry is off. */
export function traceIdOf(raw: readonly string[]): string | null {
  const values = headerValues(raw, 'traceparent');
  if (values.length !== 1) return null;
  const match = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/.exec(
    values[0] ?? '',
  );
  return match?.[1] ?? null;
}
